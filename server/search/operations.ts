import { SearchAnswer, SearchQuery } from "#contract/index.ts";
import type { Operation } from "#server/http/operations.ts";

/** What programs do with the search. */
export const searchOperations = {
  search: {
    scope: "transcriptions:read",
    id: "searchTranscripts",
    tag: "Transcriptions",
    summary: "Passages of all transcripts, the best first",
    description:
      'Neither case nor accents count. `q`: words, beginnings of words, or "a sequence" in quotation marks. Each hit has the times of its passage.',
    query: SearchQuery,
    answer: { status: 200, json: SearchAnswer },
  },
} as const satisfies Record<string, Operation>;

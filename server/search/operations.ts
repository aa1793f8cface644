import { SearchAnswer, SearchQuery } from "#contract/index.ts";
import type { Operation } from "#server/http/operations.ts";

/** What programs do with the search. */
export const searchOperations = {
  search: {
    scope: "transcriptions:read",
    id: "searchTranscripts",
    tag: "transcriptions",
    query: SearchQuery,
    answer: { status: 200, json: SearchAnswer },
  },
} as const satisfies Record<string, Operation>;

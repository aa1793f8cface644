import { FinalTranscription, Transcription } from "#contract/index.ts";
import type { Operation } from "#server/http/operations.ts";

export const dictationOperations = {
  save: {
    id: "saveDictation",
    tag: "transcriptions",
    scope: "transcriptions:write",
    body: FinalTranscription,
    json: Transcription,
  },
} as const satisfies Record<string, Operation>;

import { DeletionAnswer, Transcription, TranscriptionUpdate } from "#contract/index.ts";
import type { Operation } from "#server/http/operations.ts";

const about = { tag: "transcriptions" } as const;
const reads = { ...about, scope: "transcriptions:read" } as const;
const writes = { ...about, scope: "transcriptions:write" } as const;

/** What programs do with one transcription. */
export const transcriptionOperations = {
  read: {
    ...reads,
    id: "getTranscription",
    answer: { status: 200, json: Transcription },
  },
  audio: {
    ...reads,
    id: "getAudio",
    answer: { status: 200, type: "*/*" },
  },
  update: {
    ...writes,
    id: "updateTranscription",
    body: TranscriptionUpdate,
    answer: { status: 200, json: Transcription },
  },
  trash: {
    ...writes,
    id: "deleteTranscription",
    answer: { status: 200, json: DeletionAnswer },
  },
} as const satisfies Record<string, Operation>;

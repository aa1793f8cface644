import { DeletionAnswer, Transcription, TranscriptionUpdate } from "#contract/index.ts";
import type { Operation } from "#server/http/operations.ts";

const about = { tag: "transcriptions" } as const;
const reads = { ...about, scope: "transcriptions:read" } as const;
const writes = { ...about, scope: "transcriptions:write" } as const;

/** Operations of programs on one transcription. */
export const transcriptionOperations = {
  read: { ...reads, id: "getTranscription", json: Transcription },
  audio: { ...reads, id: "getAudio", type: "*/*" },
  update: { ...writes, id: "updateTranscription", body: TranscriptionUpdate, json: Transcription },
  trash: { ...writes, id: "deleteTranscription", json: DeletionAnswer },
} as const satisfies Record<string, Operation>;

import { DeletionAnswer, Transcription, TranscriptionUpdate } from "#contract/index.ts";
import type { Operation } from "#server/http/operations.ts";
import { ExportQuery } from "./export.ts";

const about = { tag: "Transcriptions" } as const;
const reads = { ...about, scope: "transcriptions:read" } as const;
const writes = { ...about, scope: "transcriptions:write" } as const;

/** What programs do with one transcription. */
export const transcriptionOperations = {
  read: {
    ...reads,
    id: "getTranscription",
    summary: "One transcription",
    description:
      "`status` is `processing` until it is `completed` or `failed`; `progress` says how far it is, `error` why it failed.",
    answer: { status: 200, json: Transcription },
  },
  export: {
    ...reads,
    id: "exportTranscription",
    summary: "A transcription as a file",
    query: ExportQuery,
    answer: { status: 200, type: "*/*" },
  },
  audio: {
    ...reads,
    id: "getAudio",
    summary: "The audio as it came",
    description: "Takes `Range`.",
    answer: { status: 200, type: "*/*" },
  },
  update: {
    ...writes,
    id: "updateTranscription",
    summary: "Correct a transcription, or try it again",
    body: TranscriptionUpdate,
    answer: { status: 200, json: Transcription },
  },
  trash: {
    ...writes,
    id: "deleteTranscription",
    summary: "Put a transcription into the trash",
    description: "It is erased at `purgeAt`; until then `deletedAt: null` brings it back.",
    answer: { status: 200, json: DeletionAnswer },
  },
} as const satisfies Record<string, Operation>;

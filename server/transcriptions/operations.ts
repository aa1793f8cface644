import { Batch, BatchAnswer, HistoryAnswer, HistoryQuery, TrashAnswer, TrashQuery } from "#contract/index.ts";
import type { Operation } from "#server/http/operations.ts";

const reads = { scope: "transcriptions:read" } as const;
const writes = { scope: "transcriptions:write" } as const;
const events =
  "Server-sent events `transcription`, and `filing` with all folders and tags; `Last-Event-ID` resumes. The stream ends with the token.";

/** What programs do with all transcriptions of a person. */
export const transcriptionsOperations = {
  history: {
    ...reads,
    id: "listTranscriptions",
    tag: "Transcriptions",
    summary: "All transcriptions, page by page",
    description: "`next` is the cursor of the next page, for `after`; null at the end.",
    query: HistoryQuery,
    answer: { status: 200, json: HistoryAnswer },
  },
  changes: {
    ...reads,
    id: "followTranscriptions",
    tag: "Transcriptions",
    summary: "What changes, as it does",
    description: events,
    answer: { status: 200, type: "text/event-stream" },
  },
  progress: {
    ...reads,
    id: "followTranscription",
    tag: "Transcriptions",
    summary: "One transcription, while it is made",
    description: events,
    answer: { status: 200, type: "text/event-stream" },
  },
  listTrash: {
    ...reads,
    id: "listTrash",
    tag: "Trash",
    summary: "What is in the trash",
    query: TrashQuery,
    answer: { status: 200, json: TrashAnswer },
  },
  trash: {
    ...writes,
    id: "trashTranscriptions",
    tag: "Trash",
    summary: "Put transcriptions into the trash",
    body: Batch,
    answer: { status: 200, json: BatchAnswer },
  },
  restore: {
    ...writes,
    id: "restoreTranscriptions",
    tag: "Trash",
    summary: "Take transcriptions out of the trash",
    body: Batch,
    answer: { status: 200, json: BatchAnswer },
  },
} as const satisfies Record<string, Operation>;

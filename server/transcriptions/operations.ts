import { Batch, BatchAnswer, HistoryAnswer, HistoryQuery, TrashAnswer, TrashQuery } from "#contract/index.ts";
import type { Operation } from "#server/http/operations.ts";

const reads = { scope: "transcriptions:read" } as const;
const writes = { scope: "transcriptions:write" } as const;

/** What programs do with all transcriptions of a person. */
export const transcriptionsOperations = {
  history: {
    ...reads,
    id: "listTranscriptions",
    tag: "transcriptions",
    query: HistoryQuery,
    answer: { status: 200, json: HistoryAnswer },
  },
  changes: {
    ...reads,
    id: "followTranscriptions",
    tag: "transcriptions",
    answer: { status: 200, type: "text/event-stream" },
  },
  progress: {
    ...reads,
    id: "followTranscription",
    tag: "transcriptions",
    answer: { status: 200, type: "text/event-stream" },
  },
  listTrash: {
    ...reads,
    id: "listTrash",
    tag: "trash",
    query: TrashQuery,
    answer: { status: 200, json: TrashAnswer },
  },
  trash: {
    ...writes,
    id: "trashTranscriptions",
    tag: "trash",
    body: Batch,
    answer: { status: 200, json: BatchAnswer },
  },
  restore: {
    ...writes,
    id: "restoreTranscriptions",
    tag: "trash",
    body: Batch,
    answer: { status: 200, json: BatchAnswer },
  },
} as const satisfies Record<string, Operation>;

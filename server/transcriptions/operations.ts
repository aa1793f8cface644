import { Batch, BatchAnswer, HistoryAnswer, HistoryQuery, TrashAnswer, TrashQuery } from "#contract/index.ts";
import type { Operation } from "#server/http/operations.ts";

const reads = { scope: "transcriptions:read" } as const;
const writes = { scope: "transcriptions:write" } as const;

/** Operations of programs on all transcriptions of a user. */
export const transcriptionsOperations = {
  history: { ...reads, id: "listTranscriptions", tag: "transcriptions", query: HistoryQuery, json: HistoryAnswer },
  changes: { ...reads, id: "followTranscriptions", tag: "transcriptions", type: "text/event-stream" },
  progress: { ...reads, id: "followTranscription", tag: "transcriptions", type: "text/event-stream" },
  listTrash: { ...reads, id: "listTrash", tag: "trash", query: TrashQuery, json: TrashAnswer },
  trash: { ...writes, id: "trashTranscriptions", tag: "trash", body: Batch, json: BatchAnswer },
  restore: { ...writes, id: "restoreTranscriptions", tag: "trash", body: Batch, json: BatchAnswer },
} as const satisfies Record<string, Operation>;

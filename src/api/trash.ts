import { AcceptedBatch, AcceptedEmptyTrash, AcceptedTrash, batchSize } from "#contract/index.ts";
import { ApiError, type Call } from "./http.ts";

const base = "/api/v1/audio-transcriptions/trash";

/** What has become of each: `failed` with the reasons. */
export interface BatchResult {
  done: string[];
  failed: { id: string; code: string }[];
}

/** The calls about the trash. Each throws ApiError when there was no answer or one outside 200-299. */
export function createTrashApi(call: Call) {
  /** In as many calls as it takes. One that fails says why of all that it and the later ones were to change. */
  const changeAll = async (path: string, ids: readonly string[], signal?: AbortSignal): Promise<BatchResult> => {
    const result: BatchResult = { done: [], failed: [] };
    for (let from = 0; from < ids.length; from += batchSize) {
      try {
        const json = { ids: ids.slice(from, from + batchSize) };
        const { done, failed } = await call(path, { json, schema: AcceptedBatch, signal });
        result.done.push(...done);
        result.failed.push(...failed);
      } catch (error) {
        if (from === 0 || !(error instanceof ApiError)) throw error;
        result.failed.push(...ids.slice(from).map((id) => ({ id, code: error.code })));
        break;
      }
    }
    return result;
  };
  return {
    /** What was deleted last first, in pages of 100. @param after a page's `next` */
    list: (after: string | null, signal?: AbortSignal) =>
      call(after === null ? base : `${base}?after=${encodeURIComponent(after)}`, { schema: AcceptedTrash, signal }),
    /** Moves transcriptions to the trash. */
    add: (ids: readonly string[], signal?: AbortSignal) => changeAll(base, ids, signal),
    restore: (ids: readonly string[], signal?: AbortSignal) => changeAll(`${base}/restore`, ids, signal),
    erase: (ids: readonly string[], signal?: AbortSignal) => changeAll(`${base}/erase`, ids, signal),
    /** Erases what was in it at a time of the server's clock (ISO 8601). */
    empty: (until: string, signal?: AbortSignal) =>
      call(`${base}?until=${encodeURIComponent(until)}`, { method: "DELETE", schema: AcceptedEmptyTrash, signal }),
  };
}

export type TrashApi = ReturnType<typeof createTrashApi>;

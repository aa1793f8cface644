import {
  AcceptedBatch,
  AcceptedFiling,
  AcceptedFolder,
  AcceptedTag,
  type ArchiveRequest,
  batchSize,
  type FilingAnswer,
  type FilingChange,
  type Folder,
  type FolderDraft,
  type Tag,
  type TagDraft,
} from "#contract/index.ts";
import { ApiError, type Call, type Send } from "./http.ts";
import type { BatchResult } from "./transcriptions.ts";

const base = "/api/v1/audio-transcriptions";
const one = (kind: "folders" | "tags", id: string) => `${base}/${kind}/${encodeURIComponent(id)}`;

/** The calls about folders and tags. Each throws ApiError when there was no answer or one outside 200-299. */
export function createFilingApi(call: Call, send: Send) {
  return {
    /** @throws ApiError `notOffered` where the server has neither folders nor tags */
    list: (signal?: AbortSignal): Promise<FilingAnswer> => call(`${base}/filing`, { schema: AcceptedFiling, signal }),
    addFolder: (json: FolderDraft, signal?: AbortSignal): Promise<Folder> =>
      call(`${base}/folders`, { json, schema: AcceptedFolder, signal }),
    changeFolder: (id: string, json: FolderDraft, signal?: AbortSignal): Promise<Folder> =>
      call(one("folders", id), { method: "PUT", json, schema: AcceptedFolder, signal }),
    addTag: (json: TagDraft, signal?: AbortSignal): Promise<Tag> => call(`${base}/tags`, { json, schema: AcceptedTag, signal }),
    changeTag: (id: string, json: TagDraft, signal?: AbortSignal): Promise<Tag> =>
      call(one("tags", id), { method: "PUT", json, schema: AcceptedTag, signal }),
    /** What was in it, or had it, stays. */
    remove: async (kind: "folders" | "tags", id: string, signal?: AbortSignal): Promise<void> => {
      await send(one(kind, id), { method: "DELETE", ...(signal && { signal }) });
    },

    /** Files transcriptions, in as many calls as it takes. One that fails says why of all that it and the later ones were to file. */
    place: async (ids: readonly string[], placing: Omit<FilingChange, "ids">, signal?: AbortSignal): Promise<BatchResult> => {
      const result: BatchResult = { done: [], failed: [] };
      for (let from = 0; from < ids.length; from += batchSize) {
        try {
          const json = { ...placing, ids: ids.slice(from, from + batchSize) };
          const { done, failed } = await call(`${base}/filing`, { json, schema: AcceptedBatch, signal });
          result.done.push(...done);
          result.failed.push(...failed);
        } catch (error) {
          if (from === 0 || !(error instanceof ApiError)) throw error;
          result.failed.push(...ids.slice(from).map((id) => ({ id, code: error.code })));
          break;
        }
      }
      return result;
    },

    /** A ZIP file. At most `maxArchived` transcriptions. */
    archive: async (request: ArchiveRequest, signal?: AbortSignal): Promise<Blob> => {
      const headers = { "Content-Type": "application/json" };
      const answer = await send(`${base}/archive`, {
        method: "POST",
        headers,
        body: JSON.stringify(request),
        ...(signal && { signal }),
      });
      return answer.blob();
    },
  };
}

import {
  AcceptedBatch,
  AcceptedFiling,
  AcceptedFolder,
  AcceptedTag,
  type ArchiveRequest,
  type FilingChange,
  type FolderDraft,
  type TagDraft,
} from "#contract/index.ts";
import { type Call, jsonBody, type Send } from "./http.ts";
import { transcriptionsPath as base } from "./paths.ts";
import { inBatches } from "./transcriptions.ts";

const one = (kind: "folders" | "tags", id: string) => `${base}/${kind}/${encodeURIComponent(id)}`;

/** The calls about folders and tags. Each throws ApiError without an answer, or for a status outside 200-299. */
export function createFilingApi(call: Call, send: Send) {
  return {
    /** @throws ApiError `notOffered` when the server has neither folders nor tags */
    list: (signal?: AbortSignal) => call(`${base}/filing`, { schema: AcceptedFiling, signal }),
    addFolder: (json: FolderDraft, signal?: AbortSignal) => call(`${base}/folders`, { json, schema: AcceptedFolder, signal }),
    changeFolder: (id: string, json: FolderDraft, signal?: AbortSignal) =>
      call(one("folders", id), { method: "PUT", json, schema: AcceptedFolder, signal }),
    addTag: (json: TagDraft, signal?: AbortSignal) => call(`${base}/tags`, { json, schema: AcceptedTag, signal }),
    changeTag: (id: string, json: TagDraft, signal?: AbortSignal) =>
      call(one("tags", id), { method: "PUT", json, schema: AcceptedTag, signal }),
    /** Removes a folder or tag. Its transcriptions stay. */
    remove: async (kind: "folders" | "tags", id: string, signal?: AbortSignal): Promise<void> => {
      await send(one(kind, id), { method: "DELETE", signal });
    },

    /** Files transcriptions, in as many calls as needed. */
    place: (ids: readonly string[], placing: Omit<FilingChange, "ids">, signal?: AbortSignal) =>
      inBatches(ids, (some) => call(`${base}/filing`, { json: { ...placing, ids: some }, schema: AcceptedBatch, signal })),

    /** Returns a ZIP file of at most `maxArchived` transcriptions. */
    archive: async (request: ArchiveRequest, signal?: AbortSignal) =>
      (await send(`${base}/archive`, { ...jsonBody(request), signal })).blob(),
  };
}

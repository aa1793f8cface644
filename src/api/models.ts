import { unknown } from "valibot";
import { Installation, ModelChoices, ModelImport, ModelsAnswer } from "#contract/index.ts";
import { type Call, createCall, type Send } from "./http.ts";

const base = "/admin/models";
const one = (id: string) => `${base}/${encodeURIComponent(id)}`;

/** The model manager's calls. All throw ApiError; 401 `adminRequired` for users who are no superusers. */
export function createModelsApi(call: Call, send: Send) {
  return {
    list: (signal?: AbortSignal) => call(base, { schema: ModelsAnswer, signal }),
    /** Rejects with 409 `conflict` when the installation's state does not allow the command. */
    command: (id: string, command: "install" | "pause" | "resume" | "cancel", signal?: AbortSignal) =>
      call(`${one(id)}/${command}`, { method: "POST", schema: Installation, signal }),
    /** Rejects with 409 `conflict` while the model is in use. */
    remove: async (id: string, signal?: AbortSignal): Promise<void> => {
      await call(one(id), { method: "DELETE", schema: unknown(), signal });
    },
    choose: (json: ModelChoices, signal?: AbortSignal) =>
      call(`${base}/choices`, { method: "PUT", json, schema: ModelChoices, signal }),
    /** The installed models and the choices, for another machine. */
    exportList: async (signal?: AbortSignal) => (await send(`${base}/export`, { signal })).blob(),
  };
}

/**
 * Creates the call that sends a model's archive.
 * @param send over XMLHttpRequest, for its progress
 * @throws ApiError, and an abort's own reason
 */
export function createModelImport(send: Send) {
  return (file: File, signal: AbortSignal): Promise<ModelImport> => {
    const headers = { "Content-Type": "application/octet-stream" };
    const withFile: Send = (path, init) => send(path, { ...init, headers, body: file });
    const path = `${base}/import?name=${encodeURIComponent(file.name)}`;
    return createCall(withFile)(path, { method: "POST", schema: ModelImport, signal });
  };
}

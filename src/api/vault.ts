import * as v from "valibot";
import {
  AcceptedVaultLinks,
  CreatedVaultLink,
  type NewVault,
  type NewVaultItem,
  type NewVaultLink,
  OpenedVaultLink,
  Vault,
  VaultAnswer,
  type VaultChange,
  VaultItem,
} from "#contract/index.ts";
import type { Call, Send } from "./http.ts";

const base = "/api/v1/encrypted-audio";
const one = (id: string) => `${base}/${encodeURIComponent(id)}`;

/** The encrypted file at this path, from an offset (bytes) to its end. */
const contentAt = (send: Send, path: string, from: number, signal: AbortSignal | undefined) =>
  send(`${path}/content`, { headers: { Range: `bytes=${from}-` }, cache: "no-store", signal });

/** The calls about encrypted audio. Each throws ApiError without an answer, or for a status outside 200-299. */
export function createVaultApi(call: Call, send: Send) {
  const put = async (path: string, bytes: Uint8Array<ArrayBuffer>, signal?: AbortSignal): Promise<VaultItem> => {
    const headers = { "Content-Type": "application/octet-stream" };
    const answer = await send(path, { method: "PUT", body: bytes, headers, signal });
    return v.parse(VaultItem, await answer.json());
  };
  return {
    all: (signal?: AbortSignal) => call(base, { schema: VaultAnswer, signal }),
    create: (json: NewVault, signal?: AbortSignal) => call(`${base}/vault`, { json, schema: Vault, signal }),
    reseal: (json: VaultChange, signal?: AbortSignal) => call(`${base}/vault`, { method: "PUT", json, schema: Vault, signal }),
    erase: (signal?: AbortSignal) => call(`${base}/vault`, { method: "DELETE", schema: v.undefined(), signal }),
    /** Idempotent by client id. */
    begin: (json: NewVaultItem, signal?: AbortSignal) => call(base, { json, schema: VaultItem, signal }),
    item: (id: string, signal?: AbortSignal) => call(one(id), { schema: VaultItem, signal }),
    rename: (id: string, meta: string, signal?: AbortSignal) =>
      call(one(id), { method: "PATCH", json: { meta }, schema: VaultItem, signal }),
    remove: (id: string, signal?: AbortSignal) => call(one(id), { method: "DELETE", schema: v.undefined(), signal }),
    /** Permanently deletes the transcription from which the item was made. */
    destroyPlaintext: (id: string, signal?: AbortSignal) =>
      call(`${one(id)}/plaintext`, { method: "DELETE", schema: v.undefined(), signal }),
    /** @param offset the number of bytes on the server; rejects with `conflict` when the server has another number */
    putPart: (id: string, offset: number, bytes: Uint8Array<ArrayBuffer>, signal?: AbortSignal) =>
      put(`${one(id)}/content?offset=${offset}`, bytes, signal),
    putText: (id: string, bytes: Uint8Array<ArrayBuffer>, signal?: AbortSignal) => put(`${one(id)}/text`, bytes, signal),
    content: (id: string, from: number, signal?: AbortSignal) => contentAt(send, one(id), from, signal),
    /** The first bytes of the encrypted file. @param count number of bytes */
    beginning: async (id: string, count: number, signal?: AbortSignal): Promise<Uint8Array<ArrayBuffer>> => {
      const headers = { Range: `bytes=0-${count - 1}` };
      const answer = await send(`${one(id)}/content`, { headers, cache: "no-store", signal });
      return new Uint8Array(await answer.arrayBuffer());
    },
    links: async (id: string, signal?: AbortSignal) =>
      (await call(`${one(id)}/links`, { schema: AcceptedVaultLinks, signal })).links,
    /** The only answer that contains the link's server secret. */
    createLink: (id: string, json: NewVaultLink, signal?: AbortSignal) =>
      call(`${one(id)}/links`, { json, schema: CreatedVaultLink, signal }),
    revokeLink: (id: string, link: string, signal?: AbortSignal) =>
      call(`${one(id)}/links/${encodeURIComponent(link)}`, { method: "DELETE", schema: v.undefined(), signal }),
    text: async (id: string, signal?: AbortSignal) =>
      new Uint8Array(await (await send(`${one(id)}/text`, { cache: "no-store", signal })).arrayBuffer()),
  };
}

export type VaultApi = ReturnType<typeof createVaultApi>;

/**
 * The calls of the page of a link to encrypted audio, without an account. `send` must not have a token. Each throws
 * ApiError.
 */
export function createRecordingVisitApi(call: Call, send: Send) {
  const shared = (id: string) => `/api/v1/shared-recordings/${encodeURIComponent(id)}`;
  return {
    open: (id: string, secret: string, signal?: AbortSignal) =>
      call(`${shared(id)}/open`, { json: { secret }, schema: OpenedVaultLink, signal }),
    content: (id: string, from: number, signal?: AbortSignal) => contentAt(send, shared(id), from, signal),
  };
}

import { armor } from "age-encryption";
import { expect, onTestFinished, vi } from "vitest";
import type { NewVaultItem, NewVaultLink, Transcription, Vault, VaultItem, VaultLink } from "#contract/index.ts";
import { createKeys, decryptWith, encryptFor, type NewKeys } from "#src/features/vault/encryption.ts";
import type { VaultMeta } from "#src/features/vault/meta.ts";
import { answer, page, refusal, userEvent } from "#tests/components/harness.ts";

export const passphrase = "correct horse battery";
const route = "/api/v1/encrypted-audio";

/** A server that stores a vault and can't read its contents. */
export interface KeptVault {
  keys: NewKeys;
  vault: Vault | null;
  items: VaultItem[];
  /** The encrypted files, by the item's id. */
  files: Map<string, Uint8Array<ArrayBuffer>>;
  texts: Map<string, Uint8Array<ArrayBuffer>>;
  /** Whether the server accepts texts, which needs a subscription. */
  takesTexts: boolean;
  links: VaultLink[];
  /** The received requests for new links. */
  wanted: NewVaultLink[];
  /** The ids of transcriptions whose originals were deleted after their move into the vault. */
  destroyed: string[];
  /**
   * Stores a recording.
   * @returns its id
   */
  put(name: string, sound: Uint8Array<ArrayBuffer>, text?: string): Promise<string>;
  /** Changes an item's text as another tab does. */
  write(id: string, text: string): Promise<void>;
  /** The decrypted metadata of an item. */
  metaOf(id: string): Promise<VaultMeta>;
  /** The decrypted file of an item. */
  soundOf(id: string): Promise<Uint8Array>;
  /**
   * The decrypted text of an item; null without one.
   * @param id default: the newest item
   */
  textOf(id?: string): Promise<Transcription | null>;
}

const bytesOf = (bytes: Uint8Array): Uint8Array<ArrayBuffer> => new Uint8Array(bytes);

/** A vault whose keys open at once; the page's own keys take a second. */
export async function keepVault(has: { vault?: boolean } = {}): Promise<KeptVault> {
  const keys = await createKeys(passphrase, 2);
  let count = 0;
  const kept: KeptVault = {
    keys,
    vault: (has.vault ?? true) ? { ...keys.vault, revision: 1 } : null,
    items: [],
    files: new Map(),
    texts: new Map(),
    takesTexts: true,
    links: [],
    wanted: [],
    destroyed: [],
    put: async (name, sound, text) => {
      count += 1;
      const id = `item-${count}`;
      const recordedAt = "2026-03-01T10:00:00.000Z";
      const meta: VaultMeta = { version: 1, name, recordedAt, durationSeconds: 61, type: "audio/wav" };
      const { recipient } = keys.vault;
      const file = bytesOf(await encryptFor(recipient, sound));
      kept.files.set(id, file);
      if (text !== undefined) kept.texts.set(id, bytesOf(await encryptFor(recipient, text)));
      kept.items.unshift({
        id,
        clientId: id,
        size: file.length,
        received: file.length,
        arrivedAt: recordedAt,
        transcriptionId: text === undefined ? null : "talk",
        meta: armor.encode(await encryptFor(recipient, JSON.stringify(meta))),
        hasText: text !== undefined,
      });
      return id;
    },
    write: async (id, text) => {
      kept.texts.set(id, bytesOf(await encryptFor(keys.vault.recipient, text)));
      change(id, { hasText: true });
    },
    metaOf: async (id) => JSON.parse(new TextDecoder().decode(await decryptWith(keys.identity, armor.decode(found(id).meta)))),
    textOf: async (id = kept.items[0]?.id ?? "") => {
      const sealed = kept.texts.get(id);
      return sealed === undefined ? null : JSON.parse(new TextDecoder().decode(await decryptWith(keys.identity, sealed)));
    },
    soundOf: async (id) => decryptWith(keys.identity, kept.files.get(id) ?? new Uint8Array()),
  };
  const found = (id: unknown): VaultItem => {
    const item = kept.items.find((one) => one.id === id);
    if (item === undefined) throw new Error(`There is no item ${String(id)}.`);
    return item;
  };
  const change = (id: unknown, parts: Partial<VaultItem>): VaultItem => Object.assign(found(id), parts);
  answer({
    [`GET ${route}`]: () => ({ vault: kept.vault, items: kept.items.filter(({ arrivedAt }) => arrivedAt !== null) }),
    [`POST ${route}/vault`]: async ({ request }) => {
      kept.vault = { ...(await request.json()), revision: 1 };
      return kept.vault;
    },
    [`PUT ${route}/vault`]: async ({ request }) => {
      if (kept.vault === null) return refusal(404, "notFound");
      kept.vault = { ...kept.vault, ...(await request.json()), revision: kept.vault.revision + 1 };
      return kept.vault;
    },
    [`DELETE ${route}/vault`]: () => {
      kept.vault = null;
      kept.items = [];
      return new Response(null, { status: 204 });
    },
    [`POST ${route}`]: async ({ request }) => {
      const { clientId, size, meta, transcriptionId = null }: NewVaultItem = await request.json();
      const item: VaultItem = {
        id: clientId,
        clientId,
        size,
        meta,
        transcriptionId,
        received: 0,
        arrivedAt: null,
        hasText: false,
      };
      kept.items.unshift(item);
      kept.files.set(clientId, new Uint8Array());
      return item;
    },
    [`PATCH ${route}/:id`]: async ({ request, params }) => change(params.id, await request.json()),
    [`GET ${route}/:id`]: ({ params }) => found(params.id),
    [`DELETE ${route}/:id`]: ({ params }) => {
      kept.items = kept.items.filter(({ id }) => id !== params.id);
      return new Response(null, { status: 204 });
    },
    [`PUT ${route}/:id/content`]: async ({ request, params }) => {
      const id = String(params.id);
      const part = new Uint8Array(await request.arrayBuffer());
      const before = kept.files.get(id) ?? new Uint8Array();
      expect(Number(new URL(request.url).searchParams.get("offset"))).toBe(before.length);
      const file = new Uint8Array(before.length + part.length);
      file.set(before);
      file.set(part, before.length);
      kept.files.set(id, file);
      const isWhole = file.length === found(id).size;
      return change(id, { received: file.length, arrivedAt: isWhole ? new Date().toISOString() : null });
    },
    [`PUT ${route}/:id/text`]: async ({ request, params }) => {
      if (!kept.takesTexts) return refusal(403, "subscriptionRequired");
      kept.texts.set(String(params.id), new Uint8Array(await request.arrayBuffer()));
      return change(params.id, { hasText: true });
    },
    [`GET ${route}/:id/content`]: ({ request, params }) => {
      const [, from = "0", to = ""] = /bytes=(\d+)-(\d*)/.exec(request.headers.get("Range") ?? "") ?? [];
      const file = kept.files.get(String(params.id)) ?? new Uint8Array();
      return new Response(file.slice(Number(from), to === "" ? undefined : Number(to) + 1), { status: 206 });
    },
    [`GET ${route}/:id/text`]: ({ params }) => new Response(kept.texts.get(String(params.id)) ?? null),
    [`DELETE ${route}/:id/plaintext`]: ({ params }) => {
      kept.destroyed.push(String(params.id));
      return new Response(null, { status: 204 });
    },
    [`GET ${route}/:id/links`]: () => ({ links: kept.links }),
    [`POST ${route}/:id/links`]: async ({ request }) => {
      const wanted: NewVaultLink = await request.json();
      kept.wanted.push(wanted);
      const { audio, text, locked, expiresAt } = wanted;
      const id = `${kept.wanted.length}`.padStart(16, "0");
      const link: VaultLink = {
        id,
        audio,
        text,
        locked,
        expiresAt,
        createdAt: "2026-03-02T10:00:00.000Z",
        ended: false,
        views: 0,
      };
      kept.links.unshift(link);
      return { ...link, secret: "s".repeat(43) };
    },
    [`DELETE ${route}/:id/links/:link`]: ({ params }) => {
      kept.links = kept.links.filter(({ id }) => id !== params.link);
      return new Response(null, { status: 204 });
    },
  });
  return kept;
}

/** A silent recording of this many seconds. */
export function silence(seconds = 1): Uint8Array<ArrayBuffer> {
  const rate = 8000;
  const wav = new DataView(new ArrayBuffer(44 + rate * seconds));
  for (const [at, letters] of [
    [0, "RIFF"],
    [8, "WAVEfmt "],
    [36, "data"],
  ] as const)
    for (const [i, letter] of [...letters].entries()) wav.setUint8(at + i, letter.charCodeAt(0));
  wav.setUint32(4, 36 + rate * seconds, true);
  wav.setUint32(16, 16, true);
  wav.setUint16(20, 1, true);
  wav.setUint16(22, 1, true);
  wav.setUint32(24, rate, true);
  wav.setUint32(28, rate, true);
  wav.setUint16(32, 1, true);
  wav.setUint16(34, 8, true);
  wav.setUint32(40, rate * seconds, true);
  new Uint8Array(wav.buffer, 44).fill(128);
  return new Uint8Array(wav.buffer);
}

/** Compares bytes. `toEqual` compares each byte as an object, which takes seconds. */
export const isSame = (one: Uint8Array, other: Uint8Array): boolean => indexedDB.cmp(one, other) === 0;

/** Records the files that the page saves, by name. */
export function savedFiles(): Map<string, Blob> {
  const files = new Map<string, Blob>();
  const url = vi.spyOn(URL, "createObjectURL");
  const click = vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(function (this: HTMLAnchorElement) {
    const file = url.mock.calls.at(-1)?.[0];
    if (file instanceof Blob) files.set(this.download, file);
  });
  onTestFinished(() => {
    url.mockRestore();
    click.mockRestore();
  });
  return files;
}

export const button = (name: string | RegExp) => page.getByRole("button", { name, exact: true });
export const heading = (name: string) => page.getByRole("heading", { name, exact: true });
export const listed = page.getByTestId("vault-item");

export async function unlock(words = passphrase): Promise<void> {
  await page.getByLabelText("Passphrase", { exact: true }).fill(words);
  await userEvent.keyboard("{Enter}");
}

/** Chooses an action from the menu of the item at this index. */
export async function choose(name: string | RegExp, at = 0): Promise<void> {
  const item = listed.nth(at);
  await item.getByText("More", { exact: true }).click();
  await item.getByRole("button", { name, exact: true }).click();
}

import {
  CreatedVaultLink,
  type NewVaultLink,
  OpenedVaultLink,
  type VaultItem,
  type VaultLink,
  VaultLinksAnswer,
} from "#contract/index.ts";
import type { NewKeys } from "#src/features/vault/encryption.ts";
import { fileKeyOf, type SharedAbout, sealLink } from "#src/features/vault/link-crypto.ts";
import { type Person, post, read } from "#tests/server/harness.ts";
import { type Server, vaults } from "./vaults.ts";

export const recordings = "/api/v1/shared-recordings";
/** A low work factor: key derivation isn't tested here. */
const easy = 2;

export const about: SharedAbout = {
  version: 1,
  name: "The harbour",
  recordedAt: "2026-03-01T10:00:00.000Z",
  durationSeconds: 2,
  type: "audio/wav",
  language: "en",
  targetLanguage: null,
  passages: [{ start: 0, end: 1, text: "good morning", speaker: "Anna" }],
};

export const linksOf = (item: string): string => `${vaults}/${item}/links`;

interface Wanted extends Partial<NewVaultLink> {
  passphrase?: string;
}

/** Creates a link like the page. @returns the link with its key, which the server never gets */
export async function shareItem(
  { person, keys }: { person: Person; keys: NewKeys },
  item: Pick<VaultItem, "id">,
  { passphrase, ...wanted }: Wanted = {},
) {
  const content = await person.call("GET", `${vaults}/${item.id}/content`);
  const fileKey = await fileKeyOf(keys.identity, new Uint8Array(await content.arrayBuffer()));
  const { sealed, key } = await sealLink({ about, fileKey }, passphrase ?? null, easy);
  const link = { sealed, audio: true, text: true, locked: passphrase !== undefined, expiresAt: null, ...wanted };
  const created = await read(await person.call("POST", linksOf(item.id), link), 201, CreatedVaultLink);
  return { ...created, key, sealed };
}

export const listedLinks = async (person: Person, item: string): Promise<readonly VaultLink[]> =>
  (await read(await person.call("GET", linksOf(item)), 200, VaultLinksAnswer)).links;

/** The browser of a visitor with a link: no account, only the cookie that the server sets. */
export function visitRecording({ apiUrl }: Pick<Server, "apiUrl">, { id, secret }: { id: string; secret: string }) {
  let cookie = "";
  const path = `${recordings}/${id}`;
  const open = async () => {
    const answer = await post({ apiUrl }, `${path}/open`, { secret }, cookie === "" ? {} : { Cookie: cookie });
    cookie = answer.headers.getSetCookie()[0]?.split(";", 1)[0] ?? cookie;
    return answer;
  };
  return {
    path,
    open,
    cookie: () => cookie,
    given: async (): Promise<OpenedVaultLink> => read(await open(), 200, OpenedVaultLink),
    content: (headers: Record<string, string> = {}) =>
      fetch(`${apiUrl}${path}/content`, { headers: { ...(cookie && { Cookie: cookie }), ...headers } }),
  };
}

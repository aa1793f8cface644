import { armor } from "age-encryption";
import { type NewVault, Vault, VaultAnswer, VaultItem } from "#contract/index.ts";
import { createKeys, encryptFor, type NewKeys } from "#src/features/vault/encryption.ts";
import { type Person, read, signUp, startTestServer } from "#tests/server/harness.ts";
import { subscribe } from "#tests/server/subscription/subscribed.ts";

export const vaults = "/api/v1/encrypted-audio";
/** A low work factor: key derivation isn't tested here. */
const easy = 2;

export type Server = Awaited<ReturnType<typeof startTestServer>>;

/** A subscribed user with a vault. */
export async function withVault(options: Parameters<typeof startTestServer>[0] = {}) {
  const server = await startTestServer(options);
  const person = await signUp(server);
  await subscribe(server.dataDir, person);
  const keys = await createKeys("correct horse battery", easy);
  await read(await person.call("POST", `${vaults}/vault`, keys.vault satisfies NewVault), 201, Vault);
  return { server, person, keys };
}

export const metaOf = async (keys: NewKeys, name: string) =>
  armor.encode(await encryptFor(keys.vault.recipient, JSON.stringify({ name })));

/** Sends raw bytes with the person's token. */
export function putBytes(server: Pick<Server, "apiUrl">, person: Person, path: string, bytes: Uint8Array): Promise<Response> {
  const headers = { Authorization: `Bearer ${person.token}`, "Content-Type": "application/octet-stream" };
  return fetch(`${server.apiUrl}${path}`, { method: "PUT", headers, body: new Uint8Array(bytes) });
}

/** Creates an item of this size. */
export async function begin(person: Person, keys: NewKeys, size: number, more: Record<string, unknown> = {}): Promise<VaultItem> {
  const item = { clientId: crypto.randomUUID(), size, meta: await metaOf(keys, "A talk"), ...more };
  return read(await person.call("POST", vaults, item), 201, VaultItem);
}

/** Uploads a complete encrypted item. */
export async function putIn(
  { server, person, keys }: { server: Server; person: Person; keys: NewKeys },
  plain: string,
  more: Record<string, unknown> = {},
): Promise<VaultItem> {
  const cipher = await encryptFor(keys.vault.recipient, plain);
  const { id } = await begin(person, keys, cipher.length, more);
  return read(await putBytes(server, person, `${vaults}/${id}/content?offset=0`, cipher), 200, VaultItem);
}

export async function listOf(person: Person): Promise<VaultAnswer> {
  return read(await person.call("GET", vaults), 200, VaultAnswer);
}

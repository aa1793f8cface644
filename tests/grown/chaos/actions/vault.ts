import * as v from "valibot";
import { Vault, VaultItem } from "#contract/index.ts";
import { createKeys, encryptFor, type NewKeys } from "#src/features/vault/encryption.ts";
import { type Asking, Contradiction } from "#tests/grown/chaos/asking.ts";
import { type Person, read } from "#tests/server/harness.ts";
import { metaOf, vaults } from "#tests/server/vault/vaults.ts";
import type { Life } from "./life.ts";

/** A low scrypt work factor, so that the keys open quickly. */
const easy = 2;
/** Well below the server's limit for a vault. */
const maxItems = 400;

/** A user's vault and its expected items. */
export class OwnVault {
  readonly #keys: NewKeys;
  readonly #kept: { id: string; bytes: Buffer; isSettled: boolean }[] = [];

  private constructor(keys: NewKeys) {
    this.#keys = keys;
  }

  static async make({ person }: Life, asking: Asking): Promise<OwnVault> {
    const keys = await createKeys("correct horse battery", easy);
    await asking.until(`the vault of ${person.email}`, async () => {
      const answer = await person.call("POST", `${vaults}/vault`, keys.vault);
      // The answer to the first try was lost.
      if (answer.status !== 409) await read(answer, 201, Vault);
    });
    return new OwnVault(keys);
  }

  /** Adds an item in parts. */
  async keep({ person, dice }: Life, asking: Asking): Promise<void> {
    const [size, partBytes] = [dice.between(20_000, 80_000), dice.between(8_000, 40_000)];
    if (this.#kept.length >= maxItems) return;
    const bytes = Buffer.from(await encryptFor(this.#keys.vault.recipient, "x".repeat(size)));
    const item = { clientId: crypto.randomUUID(), size: bytes.length, meta: await metaOf(this.#keys, "A talk") };
    const name = `item ${this.#kept.length + 1} of the vault of ${person.email}`;
    const { id } = await asking.until(`beginning ${name}`, async () =>
      read(await person.call("POST", vaults, item), 201, VaultItem),
    );
    let confirmed = 0;
    while (confirmed < bytes.length) {
      const { received } = await asking.until(`asking how much of ${name} is there`, async () =>
        read(await person.call("GET", `${vaults}/${id}`), 200, VaultItem),
      );
      if (received < confirmed)
        throw new Contradiction(`${confirmed} bytes of ${name} were confirmed, of which ${received} are there`);
      confirmed = received;
      if (received >= bytes.length) break;
      const part = bytes.subarray(received, received + partBytes);
      const sent = await asking.once(`sending ${name} from ${received} on`, () => put(person, id, received, part));
      confirmed = Math.max(confirmed, sent?.value ?? 0);
    }
    this.#kept.push({ id, bytes, isSettled: false });
  }

  /** Checks the items byte for byte. @param all includes items that were checked before */
  async faults(person: Person, all: boolean): Promise<string[]> {
    const wrong: string[] = [];
    for (const [index, item] of this.#kept.entries()) {
      const { id, bytes } = item;
      if (item.isSettled && !all) continue;
      const answer = await person.call("GET", `${vaults}/${id}/content`);
      const found = Buffer.from(await answer.arrayBuffer());
      if (answer.status >= 500) throw new Error(`expected 200, got ${answer.status}: ${found}`);
      const name = `item ${index + 1} of the vault of ${person.email}`;
      if (answer.status !== 200) wrong.push(`${name} was acknowledged and is lost: ${answer.status} ${found}`);
      else if (!found.equals(bytes))
        wrong.push(`${name} has ${found.length} bytes that are not the ${bytes.length} that were put in`);
      item.isSettled = true;
    }
    return wrong;
  }
}

/** @returns the number of bytes that the server has */
async function put(person: Person, id: string, offset: number, part: Buffer): Promise<number> {
  const headers = { Authorization: `Bearer ${person.token}`, "Content-Type": "application/octet-stream" };
  const address = `${person.apiUrl}${vaults}/${id}/content?offset=${offset}`;
  const answer = await fetch(address, { method: "PUT", headers, body: new Uint8Array(part) });
  const text = await answer.text();
  // The server has more than it confirmed.
  if (answer.status === 409) return offset;
  if (answer.status !== 200) throw new Error(`expected 200, got ${answer.status}: ${text}`);
  return v.parse(v.pipe(v.string(), v.parseJson(), VaultItem), text).received;
}

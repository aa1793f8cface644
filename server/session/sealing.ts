import { createHash, randomBytes } from "node:crypto";
import { decrypt, encrypt } from "./secrets.ts";
import type { KeyStore } from "./signing-keys.ts";

/** Encrypts secrets that the database stores, so that a copy of the database alone opens nothing. */
export interface Sealer {
  /** @param owner whose secret it is; in another owner's row it can't be read */
  seal(secret: string, owner: string): Promise<string>;
  /** @returns undefined when the text was changed, belongs to another owner, or its key is gone */
  open(sealed: string, owner: string): Promise<string | undefined>;
}

/** The methods of key stores that are needed here. */
type Keys = Pick<KeyStore, "makeFirst" | "read">;

interface Options {
  /** SECOND_FACTOR_KEY, newest first: all of them decrypt, the first one encrypts. */
  configured: readonly string[] | undefined;
  /** Store of the server's own key. The key is made with the first secret, unless one is configured. */
  stored: Keys;
  /** Epoch milliseconds. */
  now: () => number;
}

/** Encrypts with the first configured key, else with the stored one; decrypts with every available key. */
export function createSealer({ configured = [], stored, now }: Options): Sealer {
  const ownKeys = async () => {
    const known = await stored.read();
    return known.map(({ secret }) => keyOf(secret));
  };
  const sealing = async () => {
    const [first] = configured;
    if (first !== undefined) return keyOf(first);
    await stored.makeFirst({ secret: randomBytes(48).toString("base64url"), madeAt: now() });
    const newest = (await ownKeys()).at(-1);
    if (newest === undefined) throw new Error("No key for encrypting secrets is available.");
    return newest;
  };
  return {
    seal: async (secret, owner) => {
      const key = await sealing();
      return `${key.id}.${encrypt(key.bytes, secret, owner).toString("base64url")}`;
    },
    open: async (sealed, owner) => {
      const [id = "", text = ""] = sealed.split(".");
      const named = (key: { id: string }) => key.id === id;
      const key = configured.map(keyOf).find(named) ?? (await ownKeys()).find(named);
      return key && unseal(key.bytes, Buffer.from(text, "base64url"), owner);
    },
  };
}

function unseal(key: Buffer, bytes: Buffer, owner: string): string | undefined {
  try {
    return decrypt(key, bytes, owner);
  } catch {
    // The text is too short, was changed, or belongs to another owner.
    return undefined;
  }
}

/** Keys have many random bits, so a hash is enough to give them the length that AES needs. */
function keyOf(secret: string): { id: string; bytes: Buffer } {
  const made = (purpose: string) => createHash("sha256").update(`parlance ${purpose}\0`).update(secret).digest();
  return { id: made("sealing key's name").toString("base64url").slice(0, 12), bytes: made("sealing key") };
}

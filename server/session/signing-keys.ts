import { createHash, randomBytes } from "node:crypto";
import type { Bus } from "#server/bus/bus.ts";
import { describeError, type Log } from "#server/log/log.ts";
import { mediaTokenSeconds } from "./token-lifetimes.ts";

/** Minimum length of a signing secret, in characters. */
export const minSecret = 32;

/** A key that signs tokens. */
export interface SigningKey {
  /** The `kid` in the header of its tokens. */
  id: string;
  secret: Uint8Array;
}

/** The keys whose tokens are accepted. */
export interface Keyring {
  /** The key that signs new tokens. */
  newest(): Promise<SigningKey>;
  /**
   * @param id undefined for tokens from before keys had ids; the first key signed them @returns undefined for a key
   *   that is not accepted
   */
  find(id: string | undefined): Promise<SigningKey | undefined>;
}

/** A running server picks up a new key within this time (ms). */
export const recheckMs = 5_000;
/** An unknown id triggers a reload at once, but at most this often (ms), because anybody can send one. */
const unknownKeyRecheckMs = 1_000;
/** How long a replaced key is still accepted (ms): the longest lifetime of its tokens. */
const acceptedMs = mediaTokenSeconds * 1000;

/** A stored key: the secret, and when it was created (epoch ms; 0: from before the time was stored). */
export interface StoredKey {
  secret: string;
  madeAt: number;
}

/** Where keys are stored: a file in the data folder, or the database that several processes share. */
export interface KeyStore {
  /** Stores the first key, unless there is one. */
  makeFirst(key: StoredKey): Promise<void>;
  /** Keys, the newest last. @throws when they are damaged */
  read(): Promise<StoredKey[]>;
  /** Changes whenever the keys do. */
  version(): Promise<string>;
  /** Replaces all keys by those that `next` returns. @returns the new keys */
  change(next: (before: readonly StoredKey[]) => StoredKey[]): Promise<StoredKey[]>;
}

/** @param secrets newest first (JWT_SECRET): all are accepted while configured */
export function configuredKeys(secrets: readonly string[]): Keyring {
  const keys = secrets.map(keyOf);
  const [newest] = keys;
  if (newest === undefined) throw new Error("No signing key is available.");
  return {
    newest: async () => newest,
    find: async (id) => (id === undefined ? keys.at(-1) : keys.find((key) => key.id === id)),
  };
}

/**
 * Stored keys; the first is created at the first start. `npm run keys -- rotate` adds one, which a running server picks
 * up within `recheckMs`.
 * @param now epoch ms
 * @param bus reports at once when another process has changed the keys
 * @throws when they are damaged
 */
export async function openKeyring(store: KeyStore, now: () => number, log: Log, bus?: Pick<Bus, "subscribe">): Promise<Keyring> {
  await store.makeFirst({ secret: newSecret(), madeAt: 0 });
  let known = await store.read();
  let seen = await store.version();
  let checkedAt = now();
  let isChangeReported = false;
  bus?.subscribe("keys.changed", () => {
    isChangeReported = true;
  });
  const reload = async (afterMs: number) => {
    if (!isChangeReported && Math.abs(now() - checkedAt) < afterMs) return;
    checkedAt = now();
    isChangeReported = false;
    try {
      const version = await store.version();
      if (version === seen) return;
      known = await store.read();
      seen = version;
    } catch (error) {
      // The server continues with the keys already loaded.
      log.error("the signing keys can't be read", describeError(error));
    }
  };
  return {
    newest: async () => {
      await reload(recheckMs);
      return keyOfStored(newestOf(known));
    },
    find: async (id) => {
      await reload(recheckMs);
      const found = () => acceptedOf(known, now()).find((key, index) => (id === undefined ? index === 0 : key.id === id));
      if (found() === undefined) await reload(unknownKeyRecheckMs);
      return found();
    },
  };
}

/** Adds a new signing key. @param atOnce revokes all earlier tokens @returns the ids of all keys */
export async function rotateKeys(store: KeyStore, { now, atOnce }: { now: number; atOnce: boolean }): Promise<SigningKey[]> {
  const made = { secret: newSecret(), madeAt: now };
  const keys = await store.change((before) => [...(atOnce ? [] : stillAccepted(before, now)), made]);
  return keys.map(({ secret }) => keyOf(secret));
}

/** @returns the accepted keys, the newest last */
export async function listKeys(store: KeyStore, now: number): Promise<SigningKey[]> {
  return acceptedOf(await store.read(), now);
}

const newSecret = () => randomBytes(48).toString("base64url");

function keyOf(secret: string): SigningKey {
  const id = createHash("sha256").update("parlance signing key\0").update(secret).digest("base64url").slice(0, 12);
  return { id, secret: new TextEncoder().encode(secret) };
}

/** Caches signing keys by their stored form, because each request needs them. */
const keysOf = new WeakMap<StoredKey, SigningKey>();

function keyOfStored(stored: StoredKey): SigningKey {
  const key = keysOf.get(stored) ?? keyOf(stored.secret);
  keysOf.set(stored, key);
  return key;
}

function newestOf(lines: readonly StoredKey[]): StoredKey {
  const newest = lines.at(-1);
  if (newest === undefined) throw new Error("No signing key is available.");
  return newest;
}

/** Drops keys whose successor is older than the longest lifetime of a token. */
function stillAccepted(lines: readonly StoredKey[], now: number): StoredKey[] {
  return lines.filter((_, index) => now < (lines[index + 1]?.madeAt ?? Number.POSITIVE_INFINITY) + acceptedMs);
}

function acceptedOf(lines: readonly StoredKey[], now: number): SigningKey[] {
  return stillAccepted(lines, now).map(keyOfStored);
}

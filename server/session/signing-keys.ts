import { createHash, randomBytes, randomUUID } from "node:crypto";
import { readFile, rename, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describeError, type Log } from "#server/common/log.ts";
import { errorCodeOf } from "#server/common/problem.ts";
import { mediaTokenSeconds } from "./token-lifetimes.ts";

/** Minimum length of a signing secret, in characters. */
export const leastSecret = 32;

/** A key that signs tokens. */
export interface SigningKey {
  /** The `kid` in the header of its tokens. */
  id: string;
  secret: Uint8Array;
}

/** The keys whose tokens are accepted. */
export interface Keyring {
  /** The one that signs new tokens. */
  newest(): Promise<SigningKey>;
  /** @param id undefined for tokens from before keys had ids: made by the first key. @returns undefined for a key not accepted */
  find(id: string | undefined): Promise<SigningKey | undefined>;
}

/** A running server picks up a new key within this time (ms). */
export const recheckMs = 5_000;
/** An unknown id triggers a reload at once, but at most this often (ms): anybody can send one. */
const unknownKeyRecheckMs = 1_000;
/** How long a replaced key is still accepted: the longest life of its tokens (ms). */
const acceptedMs = mediaTokenSeconds * 1000;

/** A line of the file: the secret, and when it was created (epoch ms; older files lack it). */
interface Line {
  secret: string;
  madeAt: number;
}

/** @param secrets newest first (JWT_SECRET): all are accepted while configured */
export function configuredKeys(secrets: readonly string[]): Keyring {
  const keys = secrets.map(keyOf);
  const [newest] = keys;
  if (newest === undefined) throw new Error("There is no key to sign with.");
  return {
    newest: async () => newest,
    find: async (id) => (id === undefined ? keys.at(-1) : keys.find((key) => key.id === id)),
  };
}

/**
 * The keys in the data folder, one a line, the newest last; the first is created at the first start. `npm run keys -- rotate`
 * adds one, which a running server picks up within `recheckMs`.
 * @param now epoch ms
 * @throws when the file is damaged
 */
export async function openKeyring(dataDir: string, now: () => number, log: Log): Promise<Keyring> {
  const path = pathIn(dataDir);
  await makeFirst(path);
  let known = await readLines(path);
  let seen = await versionOf(path);
  let checkedAt = now();
  const reload = async (afterMs: number) => {
    if (Math.abs(now() - checkedAt) < afterMs) return;
    checkedAt = now();
    try {
      const version = await versionOf(path);
      if (version === seen) return;
      known = await readLines(path);
      seen = version;
    } catch (error) {
      // Continues with the keys already loaded.
      log.error("the file of the signing keys can't be read", describeError(error));
    }
  };
  return {
    newest: async () => {
      await reload(recheckMs);
      return keyOf(newestOf(known).secret);
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
export async function rotateKeys(dataDir: string, { now, atOnce }: { now: number; atOnce: boolean }): Promise<SigningKey[]> {
  const path = pathIn(dataDir);
  const made = { secret: newSecret(), madeAt: now };
  const before = atOnce ? [] : stillAccepted(await readLines(path), now);
  const lines = [...before, made];
  const text = lines.map(({ secret, madeAt }) => `${secret} ${new Date(madeAt).toISOString()}\n`).join("");
  const replacement = `${path}.${randomUUID()}`;
  await writeFile(replacement, text, { flag: "wx", mode: 0o600, flush: true });
  await rename(replacement, path);
  return lines.map(({ secret }) => keyOf(secret));
}

/** @returns the accepted keys of the data folder, the newest last */
export async function listKeys(dataDir: string, now: number): Promise<SigningKey[]> {
  return acceptedOf(await readLines(pathIn(dataDir)), now);
}

const pathIn = (dataDir: string) => join(dataDir, "jwt-secret");
const newSecret = () => randomBytes(48).toString("base64url");

function keyOf(secret: string): SigningKey {
  const id = createHash("sha256").update("parlance signing key\0").update(secret).digest("base64url").slice(0, 12);
  return { id, secret: new TextEncoder().encode(secret) };
}

function newestOf(lines: readonly Line[]): Line {
  const newest = lines.at(-1);
  if (newest === undefined) throw new Error("There is no key to sign with.");
  return newest;
}

/** Drops keys whose successor is older than the longest life of a token. */
function stillAccepted(lines: readonly Line[], now: number): Line[] {
  return lines.filter((_, index) => now < (lines[index + 1]?.madeAt ?? Number.POSITIVE_INFINITY) + acceptedMs);
}

function acceptedOf(lines: readonly Line[], now: number): SigningKey[] {
  return stillAccepted(lines, now).map(({ secret }) => keyOf(secret));
}

/** Creates the file readable by this user only. */
async function makeFirst(path: string): Promise<void> {
  try {
    await writeFile(path, `${newSecret()}\n`, { flag: "wx", mode: 0o600, flush: true });
  } catch (error) {
    if (errorCodeOf(error) !== "EEXIST") throw error;
  }
}

async function versionOf(path: string): Promise<string> {
  const { mtimeMs, ino, size } = await stat(path);
  return `${mtimeMs} ${ino} ${size}`;
}

async function readLines(path: string): Promise<Line[]> {
  const lines = (await readFile(path, "utf8")).split("\n").flatMap((line) => {
    const [secret = "", madeAt] = line.trim().split(" ");
    return secret === "" ? [] : [{ secret, madeAt: madeAt === undefined ? 0 : Date.parse(madeAt) }];
  });
  const isSound = ({ secret, madeAt }: Line) => secret.length >= leastSecret && Number.isFinite(madeAt);
  if (lines.length > 0 && lines.every(isSound)) return lines;
  throw new Error(
    `${path} is damaged: each line must be a secret of at least ${leastSecret} characters, and a time. Delete it to have a new one made.`,
  );
}

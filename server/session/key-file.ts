import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { readFile, rename, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { errorCodeOf } from "#server/errors/problem.ts";
import { type KeyStore, minSecret, type StoredKey } from "./signing-keys.ts";

/** Name of the data folder's file with the key that encrypts secrets (sealing.ts). */
export const sealingKeyName = "second-factor-key";

/**
 * Keys in the data folder, one per line, the newest last, readable only by this system user. @param name the file's
 * name. Default: that of the signing keys
 */
export function keysInFile(dataDir: string, name = "jwt-secret"): KeyStore {
  const path = join(dataDir, name);
  return {
    makeFirst: async ({ secret }) => {
      try {
        await writeFile(path, `${secret}\n`, { flag: "wx", mode: 0o600, flush: true });
      } catch (error) {
        if (errorCodeOf(error) !== "EEXIST") throw error;
      }
    },
    read: () => readLines(path),
    version: async () => {
      const { mtimeMs, ino, size } = await stat(path);
      return `${mtimeMs} ${ino} ${size}`;
    },
    change: async (next) => {
      const keys = next(await readLines(path));
      const text = keys.map(({ secret, madeAt }) => `${secret} ${new Date(madeAt).toISOString()}\n`).join("");
      const replacement = `${path}.${randomUUID()}`;
      await writeFile(replacement, text, { flag: "wx", mode: 0o600, flush: true });
      await rename(replacement, path);
      return keys;
    },
  };
}

async function readLines(path: string): Promise<StoredKey[]> {
  const lines = (await readFile(path, "utf8")).split("\n").flatMap((line) => {
    const [secret = "", madeAt] = line.trim().split(" ");
    return secret === "" ? [] : [{ secret, madeAt: madeAt === undefined ? 0 : Date.parse(madeAt) }];
  });
  const isSound = ({ secret, madeAt }: StoredKey) => secret.length >= minSecret && Number.isFinite(madeAt);
  if (lines.length > 0 && lines.every(isSound)) return lines;
  throw new Error(
    `${path} is damaged: each line must have a secret of at least ${minSecret} characters and a time. Delete the file, and the server creates a new one.`,
  );
}

/**
 * The keys that encrypt secrets (sealing.ts). A new key is stored in `own`. The other place is read, too, because a
 * backup may have been restored from an installation with its own database to one with a shared database, or the other
 * way round.
 * @param inDatabase key store in the same installation's database
 */
export function sealingKeys(
  dataDir: string,
  inDatabase: Pick<KeyStore, "makeFirst" | "read">,
  own: "file" | "database",
): Pick<KeyStore, "makeFirst" | "read"> {
  const file = keysInFile(dataDir, sealingKeyName);
  const inFile = () => (existsSync(join(dataDir, sealingKeyName)) ? file.read() : []);
  return {
    makeFirst: (key) => (own === "file" ? file : inDatabase).makeFirst(key),
    read: async () =>
      own === "file" ? [...(await inDatabase.read()), ...(await inFile())] : [...(await inFile()), ...(await inDatabase.read())],
  };
}

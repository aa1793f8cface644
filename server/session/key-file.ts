import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { readFile, rename, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { errorCodeOf } from "#server/errors/problem.ts";
import { type KeyStore, minSecret, type StoredKey } from "./signing-keys.ts";

/** The file of the data folder with the key that encrypts secrets (sealing.ts). */
export const sealingKeyName = "second-factor-key";

/** Keys in the data folder, one a line, the newest last, readable by this user only. @param name the file's. Default: the signing keys' */
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
    `${path} is damaged: each line must be a secret of at least ${minSecret} characters, and a time. Delete it to have a new one made.`,
  );
}

/**
 * The keys that encrypt secrets (sealing.ts): a new one is made where `own` is. Also read is the other place, because a backup of an
 * installation with a database of its own may have been restored to one that shares one, or the other way round.
 * @param inDatabase of the same installation
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

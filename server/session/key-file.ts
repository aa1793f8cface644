import { randomUUID } from "node:crypto";
import { readFile, rename, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { errorCodeOf } from "#server/common/problem.ts";
import { type KeyStore, leastSecret, type StoredKey } from "./signing-keys.ts";

/** Signing keys in the data folder, one a line, the newest last, readable by this user only. */
export function keysInFile(dataDir: string): KeyStore {
  const path = join(dataDir, "jwt-secret");
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
  const isSound = ({ secret, madeAt }: StoredKey) => secret.length >= leastSecret && Number.isFinite(madeAt);
  if (lines.length > 0 && lines.every(isSound)) return lines;
  throw new Error(
    `${path} is damaged: each line must be a secret of at least ${leastSecret} characters, and a time. Delete it to have a new one made.`,
  );
}

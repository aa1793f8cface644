import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { type BlockingDatabase, openBlockingPostgres } from "#tests/server/blocking-postgres.ts";
import type { Parlance } from "./harness-server.ts";

// Direct access to a server's stored data: in its data folder, or in PostgreSQL and a bucket.

/** Opens the server's database. Statements block, and use question marks as placeholders. */
export function openDatabase({ data, dataDir }: Parlance): BlockingDatabase {
  if (data.databaseUrl !== undefined) return openBlockingPostgres(data.databaseUrl);
  return new DatabaseSync(join(dataDir, "parlance.db"), { timeout: 10_000 });
}

/** A file that the server stores. */
export interface KeptFile {
  read(): Promise<Buffer>;
  write(content: Uint8Array): Promise<void>;
  remove(): Promise<void>;
}

/** @param key "audio/{id}/original", "vault/{id}/content" */
export function keptFile({ data, dataDir }: Parlance, key: string): KeptFile {
  if (data.bucket !== undefined) return data.bucket.file(key);
  const path = join(dataDir, key);
  return {
    read: () => readFile(path),
    write: async (content) => {
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, content);
    },
    remove: () => rm(path),
  };
}

/**
 * Whether any stored data contains the secret: a file of the data folders, an object of the bucket, a row of the
 * database.
 */
export async function holds(server: Parlance, secret: string | Uint8Array): Promise<boolean> {
  for (const { dataDir } of server.processes()) if (await folderHolds(dataDir, secret)) return true;
  const { data } = server;
  if (data.bucket !== undefined && (await data.bucket.holds(secret))) return true;
  return data.databaseUrl !== undefined && rowsHold(data.databaseUrl, secret);
}

async function folderHolds(folder: string, secret: string | Uint8Array): Promise<boolean> {
  for (const file of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (file.isFile() && (await readFile(join(file.parentPath, file.name))).includes(secret)) return true;
  }
  return false;
}

function rowsHold(url: string, secret: string | Uint8Array): boolean {
  using db = openBlockingPostgres(url);
  // PostgreSQL shows bytes as hexadecimal digits.
  const bytes = Buffer.from(secret).toString("hex");
  const wanted = typeof secret === "string" ? [secret, bytes] : [bytes];
  const tables = db.prepare("select table_name from information_schema.tables where table_schema = 'public'").all();
  return tables.some(({ table_name: table }) =>
    db
      .prepare(`select t::text as row from "${String(table)}" t`)
      .all()
      .some(({ row }) => wanted.some((text) => String(row).includes(text))),
  );
}

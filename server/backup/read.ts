import { createHash } from "node:crypto";
import type { Readable } from "node:stream";
import * as v from "valibot";
import { bucketPrefix, databaseName, filesPrefix, Manifest, manifestName, objectsName, sumsName } from "./format.ts";
import { entriesOf } from "./streams.ts";

const maxManifest = 64 * 1024;

interface Reader {
  /** age's secret key, for an encrypted archive. */
  identity?: string | undefined;
  /** Called now and then with the bytes read so far. */
  onBytes?: ((bytes: number) => void) | undefined;
  /** Takes the bytes of an entry; default: they are only read. */
  write?(name: string): Promise<{ write(chunk: Uint8Array): Promise<void>; close(): Promise<void> }>;
}

export interface ReadBackup {
  manifest: Manifest;
  /** Entries, the database included. */
  entries: number;
  /** Their length (bytes). */
  bytes: number;
}

/**
 * Reads a whole archive and compares each entry with its hash.
 * @throws with a sentence when something is damaged, missing or too much
 */
export async function readBackup(path: string, { identity, write, onBytes }: Reader = {}): Promise<ReadBackup> {
  const hashes = new Map<string, string>();
  let [manifest, sums, bytes]: [Manifest | undefined, string | undefined, number] = [undefined, undefined, 0];
  for await (const entry of entriesOf(path, identity)) {
    const { name } = entry.header;
    if (sums !== undefined) throw new Error("The backup has data after its end.");
    if (name === sumsName) {
      sums = await textOf(entry, Number.POSITIVE_INFINITY);
    } else if (name === manifestName) {
      const text = await textOf(entry, maxManifest);
      manifest = v.parse(Manifest, JSON.parse(text));
      hashes.set(name, createHash("sha256").update(text).digest("hex"));
    } else {
      if (!isSafe(name) || entry.header.type !== "file") throw new Error("The file has entries that don't belong to a backup.");
      const hash = createHash("sha256");
      const target = await write?.(name);
      // Whatever ends it: a file handle left to the garbage collector ends the process (Node 26).
      try {
        for await (const chunk of entry) {
          hash.update(chunk);
          bytes += chunk.length;
          onBytes?.(bytes);
          await target?.write(chunk);
        }
      } finally {
        await target?.close();
      }
      hashes.set(name, hash.digest("hex"));
    }
  }
  if (manifest === undefined || sums === undefined || !hashes.has(databaseName)) throw new Error("The backup is incomplete.");
  compare(hashes, sums);
  return { manifest, entries: hashes.size, bytes };
}

/** @throws when an entry differs from its sum, or has none, or is missing */
function compare(hashes: ReadonlyMap<string, string>, sums: string): void {
  const lines = sums.split("\n").filter((line) => line !== "");
  for (const line of lines) {
    const [hash, name] = [line.slice(0, 64), line.slice(66)];
    if (hashes.get(name) !== hash) throw new Error(`The backup is damaged: ${name}`);
  }
  if (lines.length !== hashes.size) throw new Error("The backup is damaged: it has files that its manifest does not list.");
}

/** No archive may write outside the folder that it is unpacked into. */
function isSafe(name: string): boolean {
  if (name === databaseName || name === objectsName) return true;
  return (
    (name.startsWith(filesPrefix) || name.startsWith(bucketPrefix)) &&
    name.split("/").every((part) => part !== "" && part !== "." && part !== "..")
  );
}

async function textOf(stream: Readable, max: number): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream) {
    size += chunk.length;
    if (size > max) throw new Error("The backup's manifest is too large.");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

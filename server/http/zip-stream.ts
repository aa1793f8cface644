import { addAbortSignal, PassThrough, Readable } from "node:stream";
import type { Context } from "hono";
import { ZipFile } from "yazl";
import type { StoredFile } from "#server/storage/stored-file.ts";
import { type Concurrency, exportConcurrency } from "./concurrency.ts";
import type { AppEnv } from "./env.ts";
import { fileNameOf } from "./file-name.ts";
import { webStreamOf } from "./web-stream.ts";
import { requireRight } from "./while-allowed.ts";

export interface OpenZip {
  zip: ZipFile;
  stream: Readable;
  /** Aborted when nobody reads it any longer. */
  closed: AbortSignal;
}

/** A ZIP file that is written on demand: without a reader, nothing is produced. */
export function openZip(): OpenZip {
  const zip = new ZipFile();
  const stream = zip.outputStream.pipe(new PassThrough());
  // A read error must not end the server.
  zip.on("error", (error: Error) => stream.destroy(error));
  const closing = new AbortController();
  stream.once("close", () => closing.abort());
  return { zip, stream, closed: closing.signal };
}

/** Audio is stored uncompressed, as it hardly shrinks. A file that is open is closed with the ZIP file. */
export function addFile({ zip, closed }: OpenZip, file: StoredFile | undefined, name: string): void {
  if (file === undefined) return;
  zip.addReadStreamLazy(name, { compress: false, size: file.size }, (give) => {
    const source = Readable.from(file.read(), { objectMode: false });
    source.on("error", (error) => zip.emit("error", error));
    give(null, addAbortSignal(closed, source));
  });
}

export function addLazily(zip: ZipFile, name: string, make: () => Promise<Buffer>): void {
  zip.addReadStreamLazy(name, (give) => {
    make().then(
      (content) => give(null, Readable.from([content])),
      (error: unknown) => give(error, Readable.from([])),
    );
  });
}

/** @returns at most 80 characters */
export const nameInZip = (text: string): string => fileNameOf(text, 80) || "untitled";

interface ZipParts {
  concurrency: Concurrency;
  now(): number;
}

/**
 * Answers with a ZIP file while it is being made, in one of the person's places for exports.
 * @param name without its date and extension
 * @throws Problem `tooManyAtOnce`; what `make` throws
 */
export async function zipAnswer(
  c: Context<AppEnv>,
  { concurrency, now }: ZipParts,
  { name, make }: { name: string; make: () => Promise<Readable> },
): Promise<Response> {
  requireRight(c);
  const { outgoing } = c.env;
  const release = await concurrency.take(exportConcurrency, c.var.user.id);
  // Not with the ZIP file: one that is never read, as after HEAD, is never closed.
  onceClosed(outgoing, release);
  const stream = await make();
  stream.on("error", () => {});
  onceClosed(outgoing, () => stream.destroy());
  const day = new Date(now()).toISOString().slice(0, 10);
  return c.body(webStreamOf(stream), 200, {
    "Content-Type": "application/zip",
    "Content-Disposition": `attachment; filename="${name}-${day}.zip"`,
  });
}

function onceClosed(outgoing: AppEnv["Bindings"]["outgoing"], act: () => void): void {
  if (outgoing.destroyed) act();
  else outgoing.once("close", act);
}

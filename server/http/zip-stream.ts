import { PassThrough, Readable } from "node:stream";
import type { Context } from "hono";
import { ZipFile } from "yazl";
import type { AppEnv } from "./env.ts";
import { fileNameOf } from "./file-name.ts";
import { webStreamOf } from "./web-stream.ts";
import { requireRight } from "./while-allowed.ts";

/** A ZIP file that is written while it is read. Nothing is made while nobody reads it. */
export function openZip(): { zip: ZipFile; stream: Readable } {
  const zip = new ZipFile();
  const stream = zip.outputStream.pipe(new PassThrough());
  // A read error must not end the server.
  zip.on("error", (error: Error) => stream.destroy(error));
  return { zip, stream };
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

interface ZipAnswer {
  /** Without its date and extension. */
  name: string;
  /** Epoch ms. */
  now: number;
  /** It was read to its end, or is over before. */
  onClose?: () => void;
}

/** Answers with a ZIP file while it is being made. */
export function zipAnswer(c: Context<AppEnv>, stream: Readable, { name, now, onClose }: ZipAnswer): Response {
  requireRight(c);
  stream.on("error", () => {});
  stream.once("close", () => onClose?.());
  const day = new Date(now).toISOString().slice(0, 10);
  return c.body(webStreamOf(stream), 200, {
    "Content-Type": "application/zip",
    "Content-Disposition": `attachment; filename="${name}-${day}.zip"`,
  });
}

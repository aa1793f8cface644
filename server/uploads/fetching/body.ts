import type { IncomingMessage } from "node:http";
import type { Readable } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import { hintGc } from "#server/common/gc-hint.ts";
import { Problem } from "#server/common/problem.ts";
import { asFetchProblem, FetchProblem } from "./request.ts";

export interface BodyLimits {
  /** Maximum size, decompressed, in bytes. */
  maxBytes: number;
  /** Timeout between two chunks, in milliseconds. */
  idleMs: number;
}

/**
 * The chunks of a response body, decompressed if the server has compressed it against our request. Never yields more than `most`
 * bytes, whatever the compression.
 * @throws Problem `tooLarge`, FetchProblem, the signal's reason
 */
export async function* bodyOf(
  response: IncomingMessage,
  { maxBytes, idleMs }: BodyLimits,
  signal: AbortSignal,
): AsyncGenerator<Buffer> {
  if (lengthOf(response) > maxBytes) throw new Problem("tooLarge");
  const idle = setTimeout(() => {
    response.destroy(new FetchProblem("urlTimeout", "The server there has stopped sending."));
  }, idleMs);
  response.on("data", () => idle.refresh());
  response.pause();
  let size = 0;
  try {
    for await (const chunk of unpacked(response)) {
      signal.throwIfAborted();
      size += chunk.length;
      if (size > maxBytes) throw new Problem("tooLarge");
      hintGc(chunk.length);
      yield chunk;
    }
  } catch (error) {
    signal.throwIfAborted();
    throw asFetchProblem(error);
  } finally {
    clearTimeout(idle);
    response.destroy();
  }
}

/** The announced length in bytes; NaN (unknown) is never too large. */
export function lengthOf({ headers }: IncomingMessage): number {
  return headers["content-encoding"] === undefined ? Number(headers["content-length"] ?? Number.NaN) : Number.NaN;
}

function unpacked(response: IncomingMessage): AsyncIterable<Buffer> {
  const packing = (response.headers["content-encoding"] ?? "identity").trim().toLowerCase();
  const unpackers: Record<string, () => Readable & NodeJS.WritableStream> = {
    gzip: createGunzip,
    "x-gzip": createGunzip,
    deflate: createInflate,
    br: createBrotliDecompress,
  };
  if (packing === "identity" || packing === "") return response;
  const unpacker = unpackers[packing]?.();
  if (unpacker === undefined) {
    throw new FetchProblem("urlUnreachable", "The answer is packed in a way that is not understood.", { isFinal: true });
  }
  response.once("error", (error) => unpacker.destroy(error));
  return response.pipe(unpacker);
}

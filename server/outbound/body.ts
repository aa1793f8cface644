import type { Readable } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import { Problem } from "#server/errors/problem.ts";
import { hintGc } from "#server/threads/gc-hint.ts";
import { FetchProblem, fetchError } from "./fetch-problem.ts";
import type { Answer } from "./request.ts";

/**
 * The chunks of an answer, decompressed if the server has compressed it against our request.
 * @param maxBytes never yields more, whatever the compression
 * @throws Problem `tooLarge`, FetchProblem, the signal's reason
 */
export async function* bodyOf(answer: Answer, maxBytes: number, signal: AbortSignal): AsyncGenerator<Buffer> {
  let size = 0;
  try {
    if (lengthOf(answer) > maxBytes) throw new Problem("tooLarge");
    for await (const chunk of unpacked(answer)) {
      signal.throwIfAborted();
      size += chunk.length;
      if (size > maxBytes) throw new Problem("tooLarge");
      hintGc(chunk.length);
      yield chunk;
    }
  } catch (error) {
    throw fetchError(error, answer.url, signal);
  } finally {
    answer.body.destroy();
  }
}

/** The announced length in bytes; NaN (unknown) is never too large. */
export function lengthOf({ headers }: Answer): number {
  return headers["content-encoding"] === undefined ? Number(headers["content-length"] ?? Number.NaN) : Number.NaN;
}

function unpacked({ headers, body }: Answer): AsyncIterable<Buffer> {
  const packing = (headers["content-encoding"] ?? "identity").trim().toLowerCase();
  const unpackers: Record<string, () => Readable & NodeJS.WritableStream> = {
    gzip: createGunzip,
    "x-gzip": createGunzip,
    deflate: createInflate,
    br: createBrotliDecompress,
  };
  if (packing === "identity" || packing === "") return body;
  const unpacker = unpackers[packing]?.();
  if (unpacker === undefined) {
    throw new FetchProblem("urlUnreachable", "The answer has an unknown content encoding.", { isFinal: true });
  }
  body.once("error", (error) => unpacker.destroy(error));
  return body.pipe(unpacker);
}

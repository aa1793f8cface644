import type { IncomingMessage } from "node:http";
import type { Writable } from "node:stream";
import { finished, pipeline } from "node:stream/promises";
import { Busboy, type BusboyFileStream, type BusboyInstance } from "@fastify/busboy";
import { Problem } from "#server/errors/problem.ts";
import { hintGc } from "#server/threads/gc-hint.ts";
import { cleanName } from "./file-name.ts";

export interface ArrivingFile {
  /** The client's name for it, without folders and control characters; at most 255 characters. Never used as a path. */
  name: string;
  type: string;
  /**
   * Writes it to `target`, respecting backpressure.
   * @returns its size in bytes
   * @throws Problem `tooLarge`, `interrupted`
   */
  writeTo(target: Writable): Promise<number>;
  /** Reads and discards it. */
  skip(): Promise<void>;
}

/** Room for the text fields and the boundaries around the file, in bytes. */
export const multipartBytes = 64 * 1024;
/** RFC 2046, section 5.1.1 (characters). */
const maxBoundary = 70;
const limits = { fields: 20, fieldSize: 8192, files: 2, parts: 24, headerSize: 16 * 1024, headerPairs: 40 };

/**
 * Parses a multipart body, as a stream: text fields followed by one file field.
 * @param maxBytes largest file, in bytes
 * @param take called when the file begins; cleans up after itself before it rejects
 * @param field the file field's name
 * @returns what `take` resolves to
 * @throws Problem `badRequest`, `tooLarge`, `interrupted` (the client disconnected), and what `take` throws
 */
export async function receiveUpload<Result>(
  incoming: IncomingMessage,
  maxBytes: number,
  take: (fields: Record<string, string>, file: ArrivingFile) => Promise<Result>,
  field = "file",
): Promise<Result> {
  const parser = createParser(incoming);
  const fields = new Map<string, string>();
  let current: BusboyFileStream | undefined;
  const began = Promise.withResolvers<{ taking: Promise<Result> } | undefined>();
  let broken: Problem | undefined;
  const breakOff = (problem: Problem) => {
    broken ??= problem;
    began.reject(problem);
    current?.destroy(problem);
  };
  incoming.once("close", () => {
    if (!incoming.complete) breakOff(new Problem("interrupted"));
  });
  parser.on("error", () => breakOff(new Problem("badRequest", "The upload is not a complete multipart form.")));
  parser.on("finish", () => began.resolve(undefined));
  parser.on("field", (name, value) => fields.set(name, value));
  parser.on("file", (name, stream, fileName, _encoding, type) => {
    stream.on("error", () => {});
    if (name !== field || current !== undefined) return void stream.resume();
    current = stream;
    const file = arrivingFile(stream, fileName, type, maxBytes);
    // Wrapped in an object: resolving with a promise would wait for it.
    began.resolve({ taking: (async () => take(Object.fromEntries(fields), file))() });
  });
  incoming.pipe(parser);
  try {
    const beginning = await began.promise;
    if (beginning === undefined) throw new Problem("badRequest", `The field \`${field}\` is missing.`);
    return await beginning.taking;
  } catch (error) {
    // The rest is not needed. The connection is drained elsewhere, within limits.
    incoming.unpipe(parser);
    current?.destroy();
    throw broken ?? error;
  }
}

function createParser(incoming: IncomingMessage): BusboyInstance {
  const type = incoming.headers["content-type"];
  if (type === undefined || !/^multipart\/form-data\s*;.*boundary=/i.test(type)) {
    throw new Problem("badRequest", "The body must be multipart/form-data.", { status: 415 });
  }
  const [, quoted, bare = ""] = /boundary=(?:"([^"]*)"|([^;\s]*))/i.exec(type) ?? [];
  const boundary = quoted ?? bare;
  if (boundary === "" || boundary.length > maxBoundary)
    throw new Problem("badRequest", "The multipart boundary is empty or too long.");
  return new Busboy({
    headers: { ...incoming.headers, "content-type": type },
    limits,
    fileHwm: 64 * 1024,
    highWaterMark: 64 * 1024,
  });
}

function arrivingFile(stream: BusboyFileStream, name: string | undefined, type: string, maxBytes: number): ArrivingFile {
  let size = 0;
  async function* counted(source: AsyncIterable<Buffer>) {
    for await (const chunk of source) {
      size += chunk.length;
      hintGc(chunk.length);
      if (size > maxBytes) throw new Problem("tooLarge");
      yield chunk;
    }
  }
  return {
    name: cleanName(name ?? ""),
    type: type.toLowerCase(),
    writeTo: async (target) => {
      try {
        await pipeline(stream, counted, target);
        return size;
      } catch (error) {
        // The part has no end: the body is truncated.
        if (error instanceof Error && /terminated early/.test(error.message)) throw new Problem("interrupted");
        throw error;
      }
    },
    skip: async () => {
      stream.resume();
      await finished(stream);
    },
  };
}

import * as v from "valibot";

/**
 * The protocol between server and engine process. Requests go to its standard input: a 21-byte header, then PCM. It holds
 * one byte of kind, four bytes of id, of stream and of length (unsigned, little-endian) and eight bytes of language (ASCII, padded
 * with zeros). Answers come from its standard output, one JSON object a line.
 */
const kinds = ["transcribe", "begin", "feed", "discard", "finish"] as const;
export type RequestKind = (typeof kinds)[number];

const headerBytes = 21;
const languageBytes = 8;
/** 120 s of PCM: pieces are at most 60 s long. */
const maxPayload = 120 * 32_000;

/**
 * `transcribe`: PCM of a whole utterance, answered with what was heard. `begin`: a new utterance in a stream whose text is wanted as it
 * comes. `feed`: more of it, answered with the text so far. `finish`: it is over, answered with what was heard, as `transcribe` is. `discard`: the stream is over. `begin` and `discard` are not answered.
 */
export interface Request {
  kind: RequestKind;
  /** Of the answer; 0 when none is expected. */
  id: number;
  /** 0 for `transcribe`. */
  stream: number;
  /** A speech language of the contract. */
  language: string;
  pcm: Buffer;
}

export function encodeRequest({ kind, id, stream, language, pcm }: Request): Buffer {
  if (pcm.length > maxPayload) throw new RangeError("More than 120 s of PCM in one request.");
  const message = Buffer.alloc(headerBytes + pcm.length);
  message.writeUInt8(kinds.indexOf(kind), 0);
  message.writeUInt32LE(id, 1);
  message.writeUInt32LE(stream, 5);
  message.writeUInt32LE(pcm.length, 9);
  message.write(language, 13, languageBytes, "ascii");
  pcm.copy(message, headerBytes);
  return message;
}

/** Parses requests from a stream of arbitrary chunks. */
export class RequestReader {
  #chunks: Buffer[] = [];
  #bytes = 0;

  /** @throws RangeError for a malformed request, after which the stream is unusable */
  push(chunk: Buffer): Request[] {
    this.#chunks.push(chunk);
    this.#bytes += chunk.length;
    const requests: Request[] = [];
    for (let request = this.#next(); request !== undefined; request = this.#next()) requests.push(request);
    return requests;
  }

  #next(): Request | undefined {
    if (this.#bytes < headerBytes) return undefined;
    // A long request's chunks are joined once, when the last of them has arrived.
    const head = (this.#chunks[0]?.length ?? 0) < headerBytes ? this.#join() : this.#chunks[0];
    if (head === undefined) return undefined;
    const kind = kinds[head.readUInt8(0)];
    const length = head.readUInt32LE(9);
    if (kind === undefined || length > maxPayload) throw new RangeError("Not a request.");
    const end = headerBytes + length;
    if (this.#bytes < end) return undefined;
    const all = this.#join();
    this.#chunks = all.length > end ? [all.subarray(end)] : [];
    this.#bytes = all.length - end;
    const language = all.toString("ascii", 13, headerBytes).replaceAll("\0", "");
    return { kind, id: all.readUInt32LE(1), stream: all.readUInt32LE(5), language, pcm: all.subarray(headerBytes, end) };
  }

  #join(): Buffer {
    const only = this.#chunks.length === 1 ? this.#chunks[0] : undefined;
    const all = only ?? Buffer.concat(this.#chunks);
    this.#chunks = [all];
    return all;
  }
}

/** `heard` is in the engine's own format; its client validates it. */
export const Answer = v.union([
  v.object({ ready: v.literal(true) }),
  v.object({ id: v.number(), error: v.string() }),
  v.object({ id: v.number(), text: v.string() }),
  v.object({ id: v.number(), heard: v.unknown() }),
]);
export type Answer = v.InferOutput<typeof Answer>;

import * as v from "valibot";

/**
 * The protocol between server and engine process. Requests go to its standard input: a 25-byte header, wishes as JSON, then PCM. The
 * header holds one byte of kind, four bytes of id, of stream, of the length of what follows and of the wishes in it (unsigned,
 * little-endian), and eight bytes of language (ASCII, padded with zeros). Answers come from its standard output, one JSON object a line.
 */
const kinds = ["transcribe", "begin", "feed", "discard"] as const;
type RequestKind = (typeof kinds)[number];

const headerBytes = 25;
const languageBytes = 8;
/** 120 s of PCM: pieces are at most 60 s long. */
const maxPayload = 120 * 32_000;
/** A vocabulary of 10,000 lines fits. */
const maxWishes = 1024 * 1024;

/**
 * `transcribe`: PCM of a whole utterance, answered with its text. `begin`: a new utterance in a stream whose text is wanted as it
 * comes. `feed`: more of it, answered with the text so far. `discard`: the stream is over. `begin` and `discard` are not answered.
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
  wishes?: Wishes;
}

/** What an engine is asked for besides the words; one that does not know a wish ignores it. */
export const Wishes = v.object({
  /** Names and terms to expect, one a line. */
  vocabulary: v.optional(v.string()),
  /** The two-letter code of the language to translate into while recognizing. */
  target: v.optional(v.string()),
});
export type Wishes = v.InferOutput<typeof Wishes>;

export function encodeRequest({ kind, id, stream, language, pcm, wishes }: Request): Buffer {
  if (pcm.length > maxPayload) throw new RangeError("More than 120 s of PCM in one request.");
  const wished = Buffer.from(wishes === undefined ? "" : JSON.stringify(wishes));
  if (wished.length > maxWishes) throw new RangeError("More than 1 MiB of wishes in one request.");
  const message = Buffer.alloc(headerBytes + wished.length + pcm.length);
  message.writeUInt8(kinds.indexOf(kind), 0);
  message.writeUInt32LE(id, 1);
  message.writeUInt32LE(stream, 5);
  message.writeUInt32LE(wished.length + pcm.length, 9);
  message.writeUInt32LE(wished.length, 13);
  message.write(language, 17, languageBytes, "ascii");
  wished.copy(message, headerBytes);
  pcm.copy(message, headerBytes + wished.length);
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
    const wished = head.readUInt32LE(13);
    if (kind === undefined || wished > maxWishes || length > maxPayload + wished) throw new RangeError("Not a request.");
    const end = headerBytes + length;
    if (this.#bytes < end) return undefined;
    const all = this.#join();
    this.#chunks = all.length > end ? [all.subarray(end)] : [];
    this.#bytes = all.length - end;
    const language = all.toString("ascii", 17, headerBytes).replaceAll("\0", "");
    const pcm = all.subarray(headerBytes + wished, end);
    const request = { kind, id: all.readUInt32LE(1), stream: all.readUInt32LE(5), language, pcm };
    if (wished === 0) return request;
    return { ...request, wishes: v.parse(Wishes, JSON.parse(all.toString("utf8", headerBytes, headerBytes + wished))) };
  }

  #join(): Buffer {
    const only = this.#chunks.length === 1 ? this.#chunks[0] : undefined;
    const all = only ?? Buffer.concat(this.#chunks);
    this.#chunks = [all];
    return all;
  }
}

/** `recognized` is in the engine's own format; its client validates it. */
export const Answer = v.union([
  v.object({ ready: v.literal(true) }),
  v.object({ id: v.number(), error: v.string() }),
  v.object({ id: v.number(), text: v.string() }),
  v.object({ id: v.number(), recognized: v.unknown() }),
]);
export type Answer = v.InferOutput<typeof Answer>;

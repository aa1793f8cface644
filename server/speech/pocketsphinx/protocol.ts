import * as v from "valibot";

/**
 * How the server and a decoder process talk. Requests go to its standard input: one byte of kind, four bytes of id, four bytes of
 * length (unsigned, little-endian), then that many bytes of PCM. Answers come from its standard output, one JSON object a line.
 */
export const requestKinds = {
  /** PCM of a whole utterance: answered with its words. */
  transcribe: 1,
  /** A new utterance begins whose words are wanted as they come; what went before is forgotten. Not answered. */
  begin: 2,
  /** More of that utterance: answered with the text so far. */
  feed: 3,
} as const;
export type RequestKind = keyof typeof requestKinds;

const headerBytes = 9;
/** 120 s of PCM: pieces are at most 60 s long. */
const maxPayload = 120 * 32_000;

export interface Request {
  kind: RequestKind;
  id: number;
  pcm: Buffer;
}

export function encodeRequest({ kind, id, pcm }: Request): Buffer {
  if (pcm.length > maxPayload) throw new RangeError("More than 120 s of PCM in one request.");
  const message = Buffer.allocUnsafe(headerBytes + pcm.length);
  message.writeUInt8(requestKinds[kind], 0);
  message.writeUInt32LE(id, 1);
  message.writeUInt32LE(pcm.length, 5);
  pcm.copy(message, headerBytes);
  return message;
}

/** Puts requests together from a stream that breaks anywhere. */
export class RequestReader {
  #chunks: Buffer[] = [];
  #bytes = 0;

  /** @throws RangeError for what is no request: the stream can't be understood any more */
  push(chunk: Buffer): Request[] {
    this.#chunks.push(chunk);
    this.#bytes += chunk.length;
    const requests: Request[] = [];
    for (let request = this.#next(); request !== undefined; request = this.#next()) requests.push(request);
    return requests;
  }

  #next(): Request | undefined {
    if (this.#bytes < headerBytes) return undefined;
    // Only the header is needed to know whether it is worth joining a long request's chunks.
    if ((this.#chunks[0]?.length ?? 0) < headerBytes) this.#join();
    const head = this.#chunks[0];
    if (head === undefined) return undefined;
    const length = head.readUInt32LE(5);
    const kind = kindOf(head.readUInt8(0));
    if (kind === undefined || length > maxPayload) throw new RangeError("Not a request.");
    if (this.#bytes < headerBytes + length) return undefined;
    const all = this.#join();
    this.#chunks = [all.subarray(headerBytes + length)];
    this.#bytes = all.length - headerBytes - length;
    return { kind, id: all.readUInt32LE(1), pcm: all.subarray(headerBytes, headerBytes + length) };
  }

  #join(): Buffer {
    const all = this.#chunks.length === 1 ? this.#chunks[0] : undefined;
    const joined = all ?? Buffer.concat(this.#chunks);
    this.#chunks = [joined];
    return joined;
  }
}

function kindOf(byte: number): RequestKind | undefined {
  if (byte === requestKinds.transcribe) return "transcribe";
  if (byte === requestKinds.begin) return "begin";
  return byte === requestKinds.feed ? "feed" : undefined;
}

/** As bindings.ts gives it: frames of 10 ms from the start of the utterance, the last one included. */
export const HeardWord = v.object({ word: v.string(), firstFrame: v.number(), lastFrame: v.number(), probability: v.number() });
export type HeardWord = v.InferOutput<typeof HeardWord>;

export const Answer = v.union([
  v.object({ ready: v.literal(true) }),
  v.object({ id: v.number(), words: v.array(HeardWord) }),
  v.object({ id: v.number(), text: v.string() }),
  v.object({ id: v.number(), error: v.string() }),
]);
export type Answer = v.InferOutput<typeof Answer>;

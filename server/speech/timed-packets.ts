/** A piece of decoded sound. */
export interface Packet {
  /** Timestamp: the last 32 bits of the milliseconds. */
  at: number;
  /** Whole samples of all channels (s16le). */
  pcm: Buffer;
}

/**
 * Options that make ffmpeg write PCM with timestamps: each packet has a header of 12 bytes ("sndD", timestamp, length).
 * Without tags, the file's header always has the same length.
 */
export const timedFormat = ["-map_metadata", "-1", "-bitexact", "-avoid_negative_ts", "disabled", "-f", "smjpeg"];
const beginningBytes = 36;
const headerBytes = 12;
const packetMark = "sndD";

/** Reads the packets of that format from a pipe. */
export async function* readPackets(chunks: AsyncIterable<Buffer>): AsyncGenerator<Packet[]> {
  let rest: Buffer = Buffer.alloc(0);
  let left = beginningBytes;
  for await (const chunk of chunks) {
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    const packets: Packet[] = [];
    let at = Math.min(left, bytes.length);
    left -= at;
    while (at + headerBytes <= bytes.length && bytes.toString("latin1", at, at + 4) === packetMark) {
      const from = at + headerBytes;
      const to = from + bytes.readUInt32BE(at + 8);
      if (to > bytes.length) break;
      packets.push({ at: bytes.readUInt32BE(at + 4), pcm: bytes.subarray(from, to) });
      at = to;
    }
    rest = Buffer.from(bytes.subarray(at));
    yield packets;
  }
}

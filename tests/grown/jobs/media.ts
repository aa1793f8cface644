import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { deflateSync } from "node:zlib";
import { temporaryFolder } from "#tests/server/harness.ts";

export interface Wav {
  /** The sample rate in the header, in Hz. */
  rate: number;
  seconds: number;
  channels?: number;
  /** Bits per sample. */
  bits?: number;
  /** The bytes of audio in the header, if they differ from the real ones. */
  promised?: number;
  /** Bytes of one sample of all channels, if the header's number differs. */
  frame?: number;
}

/** Quiet, and small for its length. */
export function wavOf({ rate, seconds, channels = 1, bits = 8, promised, frame: said }: Wav): Buffer<ArrayBuffer> {
  const frame = Math.ceil((channels * bits) / 8);
  const size = Math.round(rate * seconds) * frame;
  const wav = Buffer.alloc(44 + size, bits === 8 ? 0x80 : 0);
  wav.write("RIFF", 0);
  wav.writeUInt32LE(Math.min(36 + (promised ?? size), 0xffffffff), 4);
  wav.write("WAVEfmt ", 8);
  wav.writeUInt32LE(16, 16);
  wav.writeUInt16LE(1, 20);
  wav.writeUInt16LE(channels, 22);
  wav.writeUInt32LE(rate, 24);
  wav.writeUInt32LE(Math.min(rate * frame, 0xffffffff), 28);
  wav.writeUInt16LE(said ?? frame, 32);
  wav.writeUInt16LE(bits, 34);
  wav.write("data", 36);
  wav.writeUInt32LE(promised ?? size, 40);
  return wav;
}

/** Runs ffmpeg with these arguments, and returns its output, a file called `name`. */
export async function made(name: string, args: readonly string[], folder?: string): Promise<Buffer<ArrayBuffer>> {
  const path = join(folder ?? (await temporaryFolder()), name);
  await promisify(execFile)("ffmpeg", ["-loglevel", "error", ...args, path]);
  return Buffer.from(await readFile(path));
}

/** A second of a tone. */
export const tone = ["-f", "lavfi", "-i", "sine=d=1:r=8000"] as const;

/**
 * Overwrites bytes behind the first occurrence of a name, such as an MP4 atom's.
 * @param skip bytes between the name and the place
 */
export function patched(file: Buffer, name: string, skip: number, bytes: Buffer): Buffer<ArrayBuffer> {
  const copy = Buffer.from(file);
  const at = copy.indexOf(name, 0, "latin1");
  if (at < 0) throw new Error(`There is no ${name} in it.`);
  bytes.copy(copy, at + name.length + skip);
  return copy;
}

export const uint32 = (value: number) => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
};

/** An atom of an MP4. */
export function atom(name: string, ...parts: readonly Buffer[]): Buffer {
  const body = Buffer.concat(parts);
  return Buffer.concat([uint32(body.length + 8), Buffer.from(name), body]);
}

/** An element of Matroska (RFC 8794). @param id with its length marker, such as 0x1a45dfa3 */
function element(id: number, ...parts: readonly Buffer[]): Buffer {
  const body = Buffer.concat(parts);
  const name = uint32(id);
  const length = Buffer.alloc(8);
  length.writeBigUInt64BE(BigInt(body.length) | (1n << 56n));
  return Buffer.concat([name.subarray(name.findIndex((byte) => byte !== 0)), length, body]);
}

/**
 * Audio in Matroska whose only frame is compressed (ContentCompression, zlib).
 * @param bytes of the unpacked frame
 */
export function compressedMatroska(bytes: number): Buffer<ArrayBuffer> {
  const number = (value: number) => Buffer.from([value]);
  const header = element(0x1a45dfa3, element(0x4282, Buffer.from("matroska")));
  const rate = Buffer.alloc(8);
  rate.writeDoubleBE(16_000);
  const sound = element(0xe1, element(0xb5, rate), element(0x9f, number(1)), element(0x6264, number(16)));
  const zlib = element(0x5034, element(0x4254, number(0)));
  const encodings = element(
    0x6d80,
    element(0x6240, element(0x5031, number(0)), element(0x5032, number(1)), element(0x5033, number(0)), zlib),
  );
  const codec = element(0x86, Buffer.from("A_PCM/INT/LIT"));
  const track = element(
    0xae,
    element(0xd7, number(1)),
    element(0x73c5, number(1)),
    element(0x83, number(2)),
    codec,
    sound,
    encodings,
  );
  const packed = deflateSync(Buffer.alloc(bytes), { level: 9 });
  // Track 1, at once, a key frame.
  const block = element(0xa3, Buffer.from([0x81, 0, 0, 0x80]), packed);
  const cluster = element(0x1f43b675, element(0xe7, number(0)), block);
  const segment = element(
    0x18538067,
    element(0x1549a966, element(0x2ad7b1, Buffer.from([0x0f, 0x42, 0x40]))),
    element(0x1654ae6b, track),
    cluster,
  );
  return Buffer.concat([header, segment]);
}

import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { decodeToPcm } from "#server/speech/decode.ts";
import { pcmRate } from "#speech/bytes.ts";

/** The path of a recording in tests/fixtures/audio. */
export function fixture(name: string): string {
  return fileURLToPath(new URL(`../../fixtures/audio/${name}`, import.meta.url));
}

/** The PCM of a WAV fixture (16,000 Hz mono). */
export function fixturePcm(name: string): Buffer {
  return readFileSync(fixture(name)).subarray(44);
}

/** The PCM of a fixture of any format. */
export async function decoded(name: string): Promise<Buffer> {
  const chunks: Buffer[] = [];
  await decodeToPcm(fixture(name), { onPcm: (chunk) => void chunks.push(Buffer.from(chunk)) });
  return Buffer.concat(chunks);
}

/** @param sample maps a time in seconds to -1..1 */
export function sound(seconds: number, sample: (time: number) => number): Buffer {
  const count = Math.round(seconds * pcmRate);
  const pcm = Buffer.alloc(count * 2);
  for (let at = 0; at < count; at += 1)
    pcm.writeInt16LE(Math.round(Math.max(-1, Math.min(1, sample(at / pcmRate))) * 32_767), at * 2);
  return pcm;
}

export function silence(seconds: number): Buffer {
  return Buffer.alloc(Math.round(seconds * pcmRate) * 2);
}

/** White noise, the same every time. @param level in dBFS */
export function noise(seconds: number, level: number): Buffer {
  let seed = 1;
  const amplitude = amplitudeOf(level) * Math.sqrt(3);
  return sound(seconds, () => {
    seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
    return (seed / 2 ** 30 - 1) * amplitude;
  });
}

/**
 * Something like speech: a buzz whose loudness varies with four syllables a second. @param level of its peaks, in dBFS
 */
export function voice(seconds: number, level: number): Buffer {
  const amplitude = amplitudeOf(level) * Math.SQRT2;
  return sound(seconds, (time) => {
    const syllable = 0.1 + 0.9 * Math.abs(Math.sin(4 * Math.PI * time));
    return amplitude * syllable * (Math.sin(2 * Math.PI * 140 * time) + 0.5 * Math.sin(2 * Math.PI * 900 * time)) * 0.9;
  });
}

/** Single samples at full scale, `perSecond` of them a second. */
export function clicks(seconds: number, perSecond: number): Buffer {
  const every = Math.round(pcmRate / perSecond);
  return sound(seconds, (time) => (Math.round(time * pcmRate) % every === 0 ? 1 : 0));
}

/** Two sounds at the same time, as long as the first. */
export function mixed(first: Buffer, second: Buffer): Buffer {
  const pcm = Buffer.from(first);
  for (let at = 0; at + 1 < Math.min(first.length, second.length); at += 2) {
    pcm.writeInt16LE(Math.max(-32_768, Math.min(32_767, first.readInt16LE(at) + second.readInt16LE(at))), at);
  }
  return pcm;
}

/** Splits PCM into chunks whose sizes (in samples) cycle through `sizes`. */
export function chunked(pcm: Buffer, sizes: readonly number[]): Buffer[] {
  const chunks: Buffer[] = [];
  let at = 0;
  for (let turn = 0; at < pcm.length; turn += 1) {
    const bytes = (sizes[turn % sizes.length] ?? 1) * 2;
    chunks.push(pcm.subarray(at, at + bytes));
    at += bytes;
  }
  return chunks;
}

/** Lower-case words without punctuation. */
export function wordsIn(text: string): string[] {
  return text.toLowerCase().match(/[a-z']+/g) ?? [];
}

function amplitudeOf(level: number): number {
  return 10 ** (level / 20);
}

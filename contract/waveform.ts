/**
 * The waveform of a recording: the lowest and the highest sample of each `pairMs`, so that a page need not decode hours
 * of audio to draw it. GET /api/v1/audio-transcriptions/transcription/{id}/peaks returns the stored bytes:
 *
 * | byte  | what                                                                                                  |
 * | ----- | ----------------------------------------------------------------------------------------------------- |
 * | 0–3   | "PEAK", as ASCII                                                                                      |
 * | 4     | 1, the version of this format                                                                         |
 * | 5     | 0                                                                                                     |
 * | 6–7   | milliseconds of one pair: 40, or 80, 160, … so that there are at most `maxPairs` (uint16, little-endian) |
 * | 8–15  | the size of the audio that it was made from, in bytes (float64, little-endian)                        |
 * | 16–   | pairs of two int8, lowest and highest. A level l stands for the amplitude sign(l) · (l / 127)²         |
 *
 * Levels are square roots, so that soft speech (-60 dB) still has some of the 127 steps. Without pairs, the audio can't
 * be decoded.
 */
export interface Peaks {
  /** Milliseconds of one pair. */
  pairMs: number;
  /** Alternating lowest and highest levels, -127 to 127. */
  levels: Int8Array;
  /** The size of the audio it was made from (bytes). */
  audioBytes: number;
}

/** 25 pairs per second: a syllable has about five of them. */
export const shortestPairMs = 40;
/** Six hours at 40 ms: 1 MB. A whole day has pairs of 160 ms. */
export const maxPairs = 540_000;
/** The loudest level. */
export const fullLevel = 127;

const headBytes = 16;
const magic = [0x50, 0x45, 0x41, 0x4b];
const version = 1;

/** Largest size of peaks in bytes. */
export const maxPeaksBytes = headBytes + 2 * maxPairs;

export function writePeaks({ pairMs, levels, audioBytes }: Peaks): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(headBytes + levels.length);
  const view = new DataView(bytes.buffer);
  bytes.set([...magic, version]);
  view.setUint16(6, pairMs, true);
  view.setFloat64(8, audioBytes, true);
  new Int8Array(bytes.buffer, headBytes).set(levels);
  return bytes;
}

/** @returns undefined for other data, data truncated within a pair, or another version */
export function readPeaks(bytes: Uint8Array): Peaks | undefined {
  const { length } = bytes;
  if (length < headBytes || length > maxPeaksBytes || length % 2 !== 0) return undefined;
  if (magic.some((byte, at) => bytes[at] !== byte) || bytes[4] !== version) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, length);
  const pairMs = view.getUint16(6, true);
  if (pairMs === 0) return undefined;
  return {
    pairMs,
    audioBytes: view.getFloat64(8, true),
    levels: new Int8Array(bytes.buffer, bytes.byteOffset + headBytes, length - headBytes),
  };
}

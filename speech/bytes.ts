/** All PCM is signed 16-bit little-endian, mono, at this rate (Hz). */
export const pcmRate = 16_000;

/** The samples of PCM (s16le); copied only where the memory is not aligned. A trailing odd byte is left out. */
export function samplesOf(pcm: Uint8Array): Int16Array {
  const count = Math.floor(pcm.length / 2);
  if (pcm.byteOffset % 2 === 0) return new Int16Array(pcm.buffer, pcm.byteOffset, count);
  const copy = new Uint8Array(count * 2);
  copy.set(pcm.subarray(0, count * 2));
  return new Int16Array(copy.buffer);
}

/** The same as numbers from -1 to 1. */
export function floatsOf(pcm: Uint8Array): Float32Array<ArrayBuffer> {
  const samples = samplesOf(pcm);
  const floats = new Float32Array(samples.length);
  // Float32Array.from with a function is twenty times slower.
  for (let at = 0; at < samples.length; at += 1) floats[at] = (samples[at] ?? 0) / 32_768;
  return floats;
}

/** Joins all parts in newly allocated memory. */
export function joinBytes(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  let length = 0;
  for (const part of parts) length += part.length;
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

import { createReadStream } from "node:fs";
import { open } from "node:fs/promises";
import { decodeToPcm, wavHeader } from "#server/speech/index.ts";
import { pcmRate } from "#speech/bytes.ts";

const headerBytes = 44;

/**
 * Decodes like the product, but reads a complete plain WAV file (see scripted.ts) itself: ffmpeg's two processes use
 * more processor time than most tests. plain-decode.test.ts checks that the results are the same.
 */
export const plainDecode: typeof decodeToPcm = async (source, options) => {
  const { onPcm, maxSamples = Number.POSITIVE_INFINITY, signal } = options;
  const samples = await plainSamples(source);
  if (samples === undefined || samples > maxSamples) return decodeToPcm(source, options);
  for await (const chunk of createReadStream(source, { start: headerBytes })) {
    signal?.throwIfAborted();
    await onPcm(chunk);
  }
  signal?.throwIfAborted();
  return {
    durationSeconds: samples / pcmRate,
    truncated: false,
    hasHoles: false,
    type: "audio/wav",
    tracks: [{ language: null, title: null, isDefault: false }],
    track: 1,
  };
};

/** Number of samples of a plain WAV file; undefined for any other file and for one without samples. */
async function plainSamples(source: string): Promise<number | undefined> {
  await using file = await open(source);
  const samples = ((await file.stat()).size - headerBytes) / 2;
  if (!Number.isInteger(samples) || samples <= 0) return undefined;
  const { buffer } = await file.read(Buffer.alloc(headerBytes), 0, headerBytes, 0);
  return buffer.equals(wavHeader(samples)) ? samples : undefined;
}

import { createReadStream } from "node:fs";
import { open } from "node:fs/promises";
import { decodeToPcm, wavHeader } from "#server/speech/index.ts";
import { pcmRate } from "#speech/bytes.ts";

const headerBytes = 44;

/**
 * Decodes as the product does, but reads a plain WAV file (scripted.ts makes them) itself if it is whole and not too long:
 * the two processes of ffmpeg take more of the processor than most tests. plain-decode.test.ts: they say the same.
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

/** How many samples a plain WAV file has; undefined: it is another file, or one without samples. */
async function plainSamples(source: string): Promise<number | undefined> {
  await using file = await open(source);
  const samples = ((await file.stat()).size - headerBytes) / 2;
  if (!Number.isInteger(samples) || samples <= 0) return undefined;
  const { buffer } = await file.read(Buffer.alloc(headerBytes), 0, headerBytes, 0);
  return buffer.equals(wavHeader(samples)) ? samples : undefined;
}

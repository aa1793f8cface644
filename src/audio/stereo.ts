/** A piece of audio. Both channels have the same number of samples, from -1 to 1. */
export interface Stereo {
  /** In Hz. */
  rate: number;
  left: Float32Array;
  right: Float32Array;
}

/**
 * Mixes any number of channels to two. Mono goes to both. Of surround sound, the center goes to both, and the other
 * channels alternate, so that a voice on a single channel is kept.
 * @param channels at least one, in the order of WAV files
 */
export function stereoOf(channels: readonly Float32Array[]): Pick<Stereo, "left" | "right"> {
  const [left = new Float32Array(0), right = left] = channels;
  if (channels.length <= 2) return { left, right };
  const scale = Math.sqrt(2 / channels.length);
  const centre = channels.length === 4 ? undefined : channels[2];
  const sum = (side: number) =>
    left.map((_, at) => {
      let total = Math.SQRT1_2 * (centre?.[at] ?? 0);
      for (let channel = side; channel < channels.length; channel += 2)
        if (channels[channel] !== centre) total += channels[channel]?.[at] ?? 0;
      return total * scale;
    });
  return { left: sum(0), right: sum(1) };
}

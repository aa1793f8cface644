/** A piece of sound; both channels have as many samples, from -1 to 1. */
export interface Stereo {
  /** In Hz. */
  rate: number;
  left: Float32Array;
  right: Float32Array;
}

/**
 * Makes two channels of any number. One channel is both. Of more than two, the centre of a surround sound is in both, and of the others every
 * second one: voices that are on one channel alone stay.
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

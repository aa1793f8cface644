/** Averaging time of the loudness, and duration of a change of channels (seconds). */
const averagingSeconds = 0.3;
const fadeSeconds = 0.02;
/**
 * The mix counts as canceled below the first share of the louder channel's power (−12 dB), until it exceeds the second.
 * One voice on a single channel gives −6 dB, two equal channels 0 dB.
 */
const cancelledShare = 1 / 16;
const mixedShare = 1 / 8;
/**
 * The other channel is taken when its power is this many times larger: changing between inverted channels causes a
 * short silence.
 */
const louderBy = 4;

/**
 * Mixes two channels to one, piece by piece. Normally the result is their mean. Where the channels cancel each other
 * out, because one is inverted, it is the louder channel.
 * @param rate of the samples, in Hz
 * @returns a function that takes equally many samples of both channels and returns as many
 */
export function createMonoMixer(rate: number): (left: Float32Array, right: Float32Array) => Float32Array<ArrayBuffer> {
  const keep = Math.exp(-1 / (averagingSeconds * rate));
  const step = 1 / (fadeSeconds * rate);
  let leftPower = 0;
  let rightPower = 0;
  let mixPower = 0;
  let isCancelled = false;
  let isLeft = true;
  // Both fade between 0 and 1: `mean` from the louder channel to the mean, `side` from one channel to the other.
  let mean = 1;
  let side = 1;
  return (left, right) => {
    const mono = new Float32Array(left.length);
    for (let at = 0; at < mono.length; at += 1) {
      const l = left[at] ?? 0;
      const r = right[at] ?? 0;
      const mix = (l + r) / 2;
      leftPower = l * l + keep * (leftPower - l * l);
      rightPower = r * r + keep * (rightPower - r * r);
      mixPower = mix * mix + keep * (mixPower - mix * mix);
      const loudest = Math.max(leftPower, rightPower);
      isCancelled = mixPower < loudest * (isCancelled ? mixedShare : cancelledShare);
      isLeft = isLeft ? rightPower <= leftPower * louderBy : leftPower > rightPower * louderBy;
      mean = isCancelled ? Math.max(0, mean - step) : Math.min(1, mean + step);
      side = isLeft ? Math.min(1, side + step) : Math.max(0, side - step);
      mono[at] = mean * mix + (1 - mean) * (side * l + (1 - side) * r);
    }
    return mono;
  };
}

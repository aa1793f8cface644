/** How long the loudness is averaged over, and how long a change of channels takes (seconds). */
const averagingSeconds = 0.3;
const fadeSeconds = 0.02;
/**
 * The mix counts as cancelled below the first share of the louder channel's power (−12 dB), and no longer above the second. One voice on one
 * channel alone gives −6 dB, two equal channels 0 dB.
 */
const cancelledShare = 1 / 16;
const mixedShare = 1 / 8;
/** The other channel is taken when it is this many times as loud (power): a change between inverted channels is itself a short silence. */
const louderBy = 4;

/**
 * Makes one channel of two, piece by piece. Usually that is their mean. Where the channels cancel each other out, as one of them is
 * inverted, it is the louder channel.
 * @param rate of the samples, in Hz
 * @returns takes the samples of both channels, as many of each, and returns as many
 */
export function createMonoMixer(rate: number): (left: Float32Array, right: Float32Array) => Float32Array<ArrayBuffer> {
  const keep = Math.exp(-1 / (averagingSeconds * rate));
  const step = 1 / (fadeSeconds * rate);
  let leftPower = 0;
  let rightPower = 0;
  let mixPower = 0;
  let isCancelled = false;
  let isLeft = true;
  // Both fade between 0 and 1: the louder channel or the mean, the right channel or the left.
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

import { expect, test } from "vitest";
import { stretchesOf } from "#src/audio/recognise/holes.ts";

async function* packetsAt(timestamps: readonly number[]) {
  for (const timestamp of timestamps) yield { timestamp };
}

/** Start times of packets of one length in seconds, rounded to the container's unit. */
const starts = (count: number, length: number, unit = 0.001) =>
  Array.from({ length: count }, (_, at) => Math.round((at * length) / unit) * unit);

const missing = (timestamps: readonly number[], from: number, to: number) => timestamps.filter((at) => at < from || at >= to);

async function stretches(timestamps: readonly number[]) {
  const found: { start: number | undefined; end: number | undefined }[] = [];
  for await (const stretch of stretchesOf(packetsAt(timestamps))) found.push(stretch);
  return found;
}

const stretchStarts = async (timestamps: readonly number[]) => (await stretches(timestamps)).map(({ start }) => start);

test.each([
  ["AAC, rounded to milliseconds", starts(5_000, 1024 / 48_000)],
  ["AAC at 8,000 Hz", starts(500, 1024 / 8_000)],
  ["Opus", starts(5_000, 0.02)],
  ["packets whose times jitter", starts(5_000, 0.02).map((at, i) => at + (i % 3) * 0.004)],
  ["one packet", [3]],
  ["no packet", []],
])("finds no hole in %s", async (_, timestamps) => {
  expect(await stretches(timestamps)).toEqual([{ start: undefined, end: undefined }]);
});

test("finds a hole, also after the first packet", async () => {
  const [stretch, next] = await stretches(missing(starts(600, 0.02), 4, 7));
  expect(next).toEqual({ start: 7, end: undefined });
  expect(stretch?.start).toBeUndefined();
  // Later than the start of the last packet, and before the time of the next packet if there were no hole.
  expect(stretch?.end).toBeGreaterThan(3.98);
  expect(stretch?.end).toBeLessThan(4);
  expect(await stretchStarts(missing(starts(600, 0.02), 0.02, 5))).toEqual([undefined, 5]);
});

test("adds up packets that are lost one by one", async () => {
  const timestamps = starts(1_000, 0.02).filter((_, at) => at % 20 !== 19);
  const found = await stretchStarts(timestamps);
  expect(found).toHaveLength(10);
  expect(found[1]).toBeCloseTo(2, 5);
});

import { describe, expect, test } from "vitest";
import { readPeaks, writePeaks } from "#contract/index.ts";
import { levelOf, PeaksCollector } from "#server/waveform/collector.ts";

/** PCM of these samples, each for one pair of 40 ms. */
function pcm(...samples: number[]): Buffer {
  const bytes = Buffer.alloc(samples.length * 640 * 2);
  samples.forEach((sample, pair) => {
    for (let at = 0; at < 640; at++) bytes.writeInt16LE(at % 2 === 0 ? sample : 0, (pair * 640 + at) * 2);
  });
  return bytes;
}

function peaksOf(bytes: Buffer, { chunk = bytes.length, max }: { chunk?: number; max?: number } = {}) {
  const collector = new PeaksCollector(max);
  for (let at = 0; at < bytes.length; at += chunk) collector.push(bytes.subarray(at, at + chunk));
  const { levels, ...others } = collector.finish(1234);
  return { ...others, levels: [...levels] };
}

describe("PeaksCollector", () => {
  test("collects the lowest and highest level of each stretch, whatever the chunk sizes", () => {
    const bytes = Buffer.concat([pcm(32_767, -8_192, 0), pcm(500).subarray(0, 20)]);
    const whole = peaksOf(bytes);
    expect(whole).toEqual({
      pairMs: 40,
      audioBytes: 1234,
      levels: [0, 127, levelOf(-8_192), 0, 0, 0, 0, levelOf(500)],
    });
    for (const chunk of [2, 6, 1_280, 1_998]) expect(peaksOf(bytes, { chunk })).toEqual(whole);
  });

  test("maps samples to square-root levels, so that soft speech differs from silence", () => {
    expect([levelOf(0), levelOf(1), levelOf(-1), levelOf(33), levelOf(8_192), levelOf(-32_768)]).toEqual([0, 1, -1, 5, 64, -127]);
  });

  test("merges stretches of a long recording without losing loud peaks", () => {
    expect(peaksOf(pcm(32_767, 0, 0, -32_767, 33), { max: 4 })).toEqual({
      pairMs: 80,
      audioBytes: 1234,
      levels: [0, 127, -127, 0, 0, 5],
    });
    expect(peaksOf(pcm(...Array.from({ length: 16 }, () => 33)), { max: 4 })).toMatchObject({
      pairMs: 320,
      levels: [0, 5, 0, 5],
    });
  });

  test("reads peaks back as written and rejects damaged ones", () => {
    const peaks = { pairMs: 160, audioBytes: 2 ** 41 + 3, levels: Int8Array.of(-127, 127, 0, 1) };
    const bytes = writePeaks(peaks);
    expect(bytes.length).toBe(20);
    expect(readPeaks(bytes)).toEqual(peaks);
    // At any offset in a larger buffer.
    expect(readPeaks(Buffer.concat([Buffer.from("abc"), bytes]).subarray(3))).toEqual(peaks);
    const other = (at: number, byte: number) => {
      const changed = bytes.slice();
      changed[at] = byte;
      return changed;
    };
    const odd = [bytes.subarray(0, 15), bytes.subarray(0, 19), other(0, 0), other(4, 2), other(6, 0), new Uint8Array(2_000_000)];
    for (const wrong of odd) expect(readPeaks(wrong)).toBeUndefined();
  });
});

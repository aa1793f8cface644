import {
  MkvOutputFormat,
  MovOutputFormat,
  Mp4OutputFormat,
  MpegTsOutputFormat,
  type OutputFormat,
  WebMOutputFormat,
} from "mediabunny";
import { describe, expect, test } from "vitest";
import { pcmRate, samplesOf } from "#speech/bytes.ts";
import { decodeSound } from "#src/audio/recognise/decode.ts";
import { remux } from "#tests/components/harness-remux.ts";

/** Recordings of two seconds, and the containers to pack them in. */
const aac = new URL("../../fixtures/audio/market.m4a", import.meta.url).href;
const opus = new URL("../../fixtures/audio/market.webm", import.meta.url).href;
const mp3 = new URL("../../fixtures/audio/market.mp3", import.meta.url).href;
const containers: [string, string, () => OutputFormat][] = [
  ["AAC in MP4", aac, () => new Mp4OutputFormat()],
  ["AAC in MP4 of fragments", aac, () => new Mp4OutputFormat({ fastStart: "fragmented" })],
  ["AAC in QuickTime", aac, () => new MovOutputFormat()],
  ["AAC in Matroska", aac, () => new MkvOutputFormat()],
  ["MP3 in Matroska", mp3, () => new MkvOutputFormat()],
  ["Opus in WebM", opus, () => new WebMOutputFormat()],
  ["Opus in MP4", opus, () => new Mp4OutputFormat()],
];
async function decode(file: Blob): Promise<Int16Array> {
  const samples: number[] = [];
  for await (const { pcm } of decodeSound(file)) samples.push(...samplesOf(pcm));
  return Int16Array.from(samples);
}

const loudest = (samples: Int16Array) => samples.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0);
const at = (seconds: number) => Math.round(seconds * pcmRate);

/** The delay of `sound` against `wanted` in seconds: the shift with the best match. */
function lagOf(sound: Int16Array, wanted: Int16Array): number {
  let best = { match: 0, lag: 0 };
  for (let lag = -at(0.15); lag <= at(0.15); lag += 4) {
    let match = 0;
    for (let i = Math.max(0, -lag); i < wanted.length; i += 3) match += (sound[i + lag] ?? 0) * (wanted[i] ?? 0);
    if (match > best.match) best = { match, lag };
  }
  return best.lag / pcmRate;
}

describe.each(containers)("%s", (_, url, format) => {
  const usual = async () => decode(await remux(url, format(), (timestamp) => timestamp));

  test("decodes silence at the start of a track that begins late", async () => {
    const [plain, late] = [await usual(), await decode(await remux(url, format(), (timestamp) => timestamp + 3))];
    expect(loudest(late.subarray(0, at(2.9)))).toBe(0);
    expect(Math.abs(lagOf(late.subarray(at(3)), plain))).toBeLessThan(0.03);
  });

  test("decodes silence in place of missing packets", async () => {
    const holed = await remux(url, format(), (timestamp) => (timestamp < 1 ? timestamp : timestamp + 5));
    const [plain, sound] = [await usual(), await decode(holed)];
    expect(Math.abs(lagOf(sound.subarray(0, at(0.9)), plain.subarray(0, at(0.9))))).toBeLessThan(0.03);
    expect(loudest(sound.subarray(at(1.15), at(5.9)))).toBe(0);
    expect(Math.abs(lagOf(sound.subarray(at(6.1)), plain.subarray(at(1.1))))).toBeLessThan(0.03);
  });

  test("decodes the default track when there are two", async () => {
    const two = await remux(
      url,
      format(),
      (timestamp) => timestamp,
      (timestamp) => timestamp + 3,
    );
    const sound = await decode(two);
    expect(loudest(sound.subarray(0, at(2.9)))).toBe(0);
    expect(loudest(sound.subarray(at(3)))).toBeGreaterThan(1_000);
  });
});

test("starts a broadcast at its first sound, whatever its timestamp", async () => {
  const [plain, late] = await Promise.all(
    [0, 100].map(async (start) => decode(await remux(aac, new MpegTsOutputFormat(), (timestamp) => timestamp + start))),
  );
  expect(Math.abs(lagOf(late ?? new Int16Array(), plain ?? new Int16Array()))).toBeLessThan(0.03);
});

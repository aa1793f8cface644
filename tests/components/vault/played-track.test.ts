import { MkvOutputFormat, Mp4OutputFormat, type OutputFormat, WebMOutputFormat } from "mediabunny";
import { expect, test } from "vitest";
import { playedTrackOf } from "#src/features/vault/played-track.ts";
import { remux } from "#tests/components/harness-remux.ts";

const aac = new URL("../../fixtures/audio/market.m4a", import.meta.url).href;
const opus = new URL("../../fixtures/audio/market.webm", import.meta.url).href;

/** @returns the length in seconds that the browser plays */
function lengthOf(sound: Blob): Promise<number> {
  const element = new Audio(URL.createObjectURL(sound));
  return new Promise((resolve, reject) => {
    element.addEventListener("loadedmetadata", () => resolve(element.duration));
    element.addEventListener("error", () => reject(new Error("It is not played.")));
  });
}

const soon = (timestamp: number) => timestamp;
const late = (timestamp: number) => timestamp + 20;

test.each<[string, string, OutputFormat, string]>([
  ["Opus in WebM", opus, new WebMOutputFormat(), "audio/webm"],
  ["AAC in Matroska", aac, new MkvOutputFormat(), "audio/mp4"],
])("plays the default one of two tracks: %s", async (_, url, format, type) => {
  const file = await remux(url, format, late, soon);
  const played = await playedTrackOf(new Blob([file], { type: format.mimeType }));
  expect(played.type).toBe(type);
  expect(await lengthOf(file)).toBeGreaterThan(20);
  expect(await lengthOf(played)).toBeLessThan(5);
});

test.each<[string, string, OutputFormat, number]>([
  ["one track", opus, new WebMOutputFormat(), 1],
  ["MP4, of which browsers play the default track", aac, new Mp4OutputFormat(), 2],
])("plays a file unchanged: %s", async (_, url, format, tracks) => {
  const file = new Blob([await remux(url, format, ...Array(tracks).fill(soon))], { type: format.mimeType });
  expect(await playedTrackOf(file)).toBe(file);
});

import { afterAll, beforeAll, expect, it } from "vitest";
import { openSilero as openServersSilero } from "#server/speech/silero/silero.ts";
import type { VoiceActivity } from "#speech/voice-activity.ts";
import { prepareRuntime } from "#src/audio/recognise/runtime.ts";
import { openSilero } from "#src/audio/recognise/silero.ts";
import { austenPcm } from "#tests/fixtures/voices/austen.ts";
import { pcmOf, recogniserFile } from "./harness-files.ts";

let here: VoiceActivity;
let onServer: VoiceActivity;
beforeAll(async () => {
  prepareRuntime(await recogniserFile("wasm"));
  here = await openSilero(await recogniserFile("silero"));
  onServer = openServersSilero({ parallel: 1 });
});
afterAll(() => Promise.all([here.close(), onServer.close()]));

it.each([
  ["a real voice", () => pcmOf("jfk.wav")],
  ["another one", austenPcm],
  ["a synthetic voice", () => pcmOf("talk.wav")],
  ["noise", () => pcmOf("noise.wav")],
])("voice detection on the device computes the same as the server for %s", async (_, sound) => {
  const pcm = Buffer.from(await sound());
  expect(await here.windows(pcm)).toBe(await onServer.windows(pcm));
});

it("computes the same window by window, and keeps streams apart", async () => {
  const pcm = await pcmOf("jfk.wav");
  const [stream, silent] = [await here.open(), await here.open()];
  let told = "";
  for (let at = 0; at < pcm.length; at += 1_234) {
    told += await stream?.push(pcm.slice(at, at + 1_234));
    expect(await silent?.push(new Uint8Array(1_234))).not.toContain("1");
  }
  expect((await here.windows(pcm))?.startsWith(told)).toBe(true);
});

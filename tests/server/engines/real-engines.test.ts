import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Segment, Transcription } from "#contract/index.ts";
import { openEngines, type SpeechEngines } from "#server/speech/index.ts";
import { openTranslation, type Translation } from "#server/translation/index.ts";
import { harborText, marketText, talkWritten } from "#tests/fixtures/audio/texts.ts";
import { Dictation, textOf } from "#tests/server/dictation/dictation.ts";
import { type Person, read, refusal, settled, signUp, startTestServer, upload } from "#tests/server/harness.ts";

// What the other tests script is real here: PocketSphinx hears, Apertium translates, ffmpeg decodes.

const fixture = async (name: string) =>
  new Uint8Array(await readFile(fileURLToPath(new URL(`../../fixtures/audio/${name}`, import.meta.url))));
const spoken = (text: string) => text.toLowerCase().replace(/[^a-z0-9$ ]+/g, "");

let engines: SpeechEngines;
let translation: Translation;
beforeAll(async () => {
  // The data folder is where models would be found; there are none in this one.
  engines = await openEngines({ dataDir: "/nonexistent" });
  translation = await openTranslation({});
});
afterAll(() => engines.close());

/** A server closes its engines; these serve all servers of this file, since loading their models takes long. */
async function startReal() {
  const server = await startTestServer({ engines: { ...engines, close: async () => {} }, translation });
  return { server, person: await signUp(server) };
}

async function transcribe(person: Person, name: string, fields: Record<string, string> = {}): Promise<Transcription> {
  const { id } = await read(await upload(person, await fixture(name), { name, fields }), 202, Transcription);
  return settled(person, id);
}

function expectTimes(segments: readonly Segment[], duration: number): void {
  const words = segments.flatMap((segment) => segment.words);
  expect(words.map(({ text }) => text).join(" ")).toBe(textOf(segments));
  let last = 0;
  for (const { start, end } of words) {
    expect(start).toBeGreaterThanOrEqual(last);
    expect(end).toBeGreaterThan(start);
    last = start;
  }
  expect(words.at(-1)?.end).toBeLessThanOrEqual(duration + 0.1);
}

describe("a file", () => {
  // Four sentences once; in the other formats one: what PocketSphinx hears through each codec is said in speech/pocketsphinx.test.ts.
  const shorter = ["mp3", "m4a", "ogg", "opus", "webm", "flac", "mp4"].map((ending) => `market.${ending}`);
  test.each(["harbor.wav", ...shorter])("such as %s is heard word by word", async (name) => {
    const { person } = await startReal();
    const made = await transcribe(person, name);
    expect(made).toMatchObject({ status: "completed", error: null, engine: "pocketsphinx" });
    expect(spoken(made.text)).toBe(spoken(name === "harbor.wav" ? harborText : marketText));
    expectTimes(made.segments, made.durationSeconds ?? 0);
  });

  test("is translated to Spanish, segment by segment", async () => {
    const { person } = await startReal();
    const made = await transcribe(person, "harbor.wav", { targetLanguage: "es" });
    expect(made.translatedText.toLowerCase()).toContain("puerto");
    expect(made.translatedText.toLowerCase()).toContain("tren");
    expect(made.segments.every(({ translation = "" }) => translation !== "" && !translation.includes("*"))).toBe(true);
  });

  test.each([
    ["not-audio.mp3", "failed", "notAudio"],
    ["zero-seconds.wav", "failed", "emptyFile"],
    ["video-without-sound.mp4", "failed", "noSound"],
    ["truncated.m4a", "failed", "truncated"],
    ["truncated.mp3", "completed", "truncated"],
    ["truncated.wav", "completed", "truncated"],
    ["silent.wav", "completed", "noSpeech"],
    ["noise.wav", "completed", "noSpeech"],
    ["tone.wav", "completed", "noSpeech"],
  ])("%s: %s with %s", async (name, status, code) => {
    const { person } = await startReal();
    expect(await transcribe(person, name)).toMatchObject({ status, error: { code } });
  });

  test("without a byte is refused", async () => {
    const { person } = await startReal();
    expect(await refusal(await upload(person, await fixture("empty.wav")))).toBe("422 emptyFile");
  });
});

describe("dictation", () => {
  /** The samples of a WAV file in frames of 200 ms. */
  async function frames(name: string): Promise<Buffer[]> {
    const pcm = Buffer.from(await fixture(name)).subarray(44);
    const list: Buffer[] = [];
    for (let at = 0; at < pcm.length; at += 6_400) {
      const number = Buffer.alloc(4);
      number.writeUInt32LE(list.length);
      list.push(Buffer.concat([number, pcm.subarray(at, at + 6_400)]));
    }
    return list;
  }

  test("is heard while it is spoken", async () => {
    const { server, person } = await startReal();
    const live = await Dictation.start(server.apiUrl, person.token);
    const all = await frames("talk.wav");
    for (const one of all) live.sendBytes(one);
    await live.next("partial");
    live.say({ type: "end", frames: all.length });
    const { segments, durationSeconds } = await live.next("done");
    expect(spoken(textOf(segments))).toBe(spoken(talkWritten.join(" ")));
    expectTimes(segments, durationSeconds);
  });

  test("loses no word when the connection is cut in the middle of a sentence", async () => {
    const { server, person } = await startReal();
    const all = await frames("harbor.wav");
    const first = await Dictation.start(server.apiUrl, person.token);
    for (const one of all.slice(0, 22)) first.sendBytes(one);
    await first.acked(22);
    await first.cut();
    const second = await Dictation.start(server.apiUrl, person.token, first.recordingId);
    for (const one of all.slice(22)) second.sendBytes(one);
    second.say({ type: "end", frames: all.length });
    const { segments, durationSeconds } = await second.next("done");
    expect(spoken(textOf(segments))).toBe(spoken(harborText));
    expectTimes(segments, durationSeconds);
  });
});

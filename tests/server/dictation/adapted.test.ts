import { afterAll, expect, it } from "vitest";
import type { Segment } from "#contract/index.ts";
import { Feeder } from "#server/dictation/feeder.ts";
import type { SpeechEngine } from "#server/speech/engine.ts";
import { openPocketSphinx } from "#server/speech/pocketsphinx/engine.ts";
import { openSilero } from "#server/speech/silero/silero.ts";
import { talkSentences } from "#tests/fixtures/audio/texts.ts";
import { fixturePcm, wordsIn } from "#tests/server/speech/sound.ts";

const rate = 16_000;
const activity = openSilero({ parallel: 1 });
afterAll(() => activity.close());

/** When the last two sentences of talk.wav but one are spoken, in seconds: PocketSphinx's finals of them. */
const before = [
  { start: 17.28, end: 19.12 },
  { start: 20.51, end: 22.59 },
];

/** What is heard of talk.wav after these finals by a server that has just started, with the real recogniser. */
async function heardAfter(
  finals: readonly Pick<Segment, "start" | "end">[],
  more: Partial<SpeechEngine> = {},
): Promise<string[]> {
  const real = await openPocketSphinx({ parallel: 1, activity });
  const pcm = fixturePcm("talk.wav");
  const texts: string[] = [];
  const feeder = new Feeder({
    choice: { engine: { ...real, openStream: (options) => real.openStream(options), ...more }, language: "en" },
    vocabulary: [],
    file: { samples: pcm.length / 2, read: async (from, count) => pcm.subarray(from * 2, (from + count) * 2) },
    fromSample: Math.round((finals.at(-1)?.end ?? 0) * rate),
    finals: () => finals,
    onPartial: () => {},
    onFinal: async ({ text }) => void texts.push(text),
  });
  const done = feeder.run();
  feeder.end();
  await done;
  await real.close();
  return texts;
}

it("a recogniser that begins in the middle of a recording is adapted to the voice in it: its first sentence is as good as any", async () => {
  expect((await heardAfter(before)).flatMap(wordsIn)).toEqual(wordsIn(talkSentences.at(-1) ?? ""));
});

it("it is given the last three seconds in which somebody spoke, and nothing at the beginning of a recording", async () => {
  const given: number[] = [];
  const openStream: SpeechEngine["openStream"] = async ({ heard }) => {
    given.push((heard?.length ?? 0) / 2 / rate);
    return { write: async () => {}, end: async () => {}, close: () => {} };
  };
  await heardAfter(before, { openStream });
  await heardAfter([{ start: 0.2, end: 2.2 }], { openStream });
  await heardAfter([], { openStream });
  expect(given).toEqual([3, 2, 0]);
});

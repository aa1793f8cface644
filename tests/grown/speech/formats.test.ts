import { expect, onTestFinished, test } from "vitest";
import { openEngines } from "#server/speech/index.ts";
import { harborText, marketText } from "#tests/fixtures/audio/texts.ts";
import { expectTimes, spoken, startReal, transcribe } from "#tests/server/engines/real.ts";
import { decoded, wordsIn } from "#tests/server/speech/sound.ts";

// server/engines/real-engines.test.ts has the two that most people send.
// PROMISE speech: Recordings may be wav, mp3, m4a, ogg, opus, webm, flac or mp4
test.each(["m4a", "ogg", "opus", "webm", "flac", "mp4"])("a file such as market.%s is heard word by word", async (extension) => {
  const { person } = await startReal();
  const made = await transcribe(person, `market.${extension}`);
  expect(made).toMatchObject({ status: "completed", error: null, engine: "moonshine-tiny-en" });
  expect(spoken(made.text)).toBe(spoken(marketText));
  expectTimes(made.segments, made.durationSeconds ?? 0);
});

test("every word is heard through every codec", async () => {
  const engines = await openEngines({ dataDir: "/nowhere", parallel: 2 });
  onTestFinished(() => engines.close());
  const engine = engines.all()[0] ?? expect.fail("There is no built-in model.");
  // The others hold the same: webm is opus, mp4 is m4a, flac and wav lose nothing.
  const extensions = ["mp3", "m4a", "ogg", "opus"];
  const all = await Promise.all(
    extensions.map(async (extension) => {
      const segments = await engine.transcribe(await decoded(`harbor.${extension}`), { language: "en" });
      return segments.flatMap((segment) => wordsIn(segment.text));
    }),
  );
  for (const [at, words] of all.entries()) expect(words, extensions[at]).toEqual(wordsIn(harborText));
});

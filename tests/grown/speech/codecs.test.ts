import { expect, onTestFinished, test } from "vitest";
import { openEngines } from "#server/speech/index.ts";
import { harborText } from "#tests/fixtures/audio/texts.ts";
import { decoded, wordsIn } from "#tests/server/speech/sound.ts";

// PROMISE speech: Recordings may be wav, mp3, m4a, ogg, opus, webm, flac or mp4
test("recognizes every word through every codec", async () => {
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

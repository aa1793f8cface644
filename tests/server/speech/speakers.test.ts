import { expect, test } from "vitest";
import { Transcription } from "#contract/index.ts";
import type { TranscribeOptions } from "#server/speech/index.ts";
import { read, settled, signUp, startTestServer, upload } from "#tests/server/harness.ts";
import { buzzWav, scriptedEngines, segment } from "#tests/server/jobs/scripted.ts";

test("keeps a speaker's number across all pieces and gives new speakers the next number", async () => {
  const asked: TranscribeOptions[] = [];
  const engines = scriptedEngines({
    parallel: 4,
    speakers: true,
    vocabulary: true,
    transcribe: async (_pcm, options) => {
      asked.push(options);
      const names = (options.speakers ?? []).map(({ name }) => name);
      // Like a real engine: known voices by name, others by letters that begin anew in each piece.
      return [
        { ...segment("one", 0, 5), speaker: names[0] ?? "A" },
        { ...segment("two", 6, 7), speaker: "B" },
      ];
    },
  });
  const server = await startTestServer({ engines });
  const person = await signUp(server);
  const fields = { speakers: "1", vocabulary: " Ada, Bob ", targetLanguage: "es" };
  const { id } = await read(await upload(person, buzzWav(70), { fields }), 202, Transcription);
  const { segments } = await settled(person, id);
  expect(asked.map(({ vocabulary }) => vocabulary)).toEqual(asked.map(() => ["Ada", "Bob"]));
  const speakers = segments.map(({ speaker }) => speaker);
  expect(speakers.filter((_, index) => index % 2 === 0)).toEqual(speakers.filter((_, index) => index % 2 === 0).map(() => "1"));
  // One second is too short for a voice sample.
  expect(speakers.filter((_, index) => index % 2 === 1)).toEqual(asked.map((_, index) => String(index + 2)));
  expect(asked[1]?.speakers?.map(({ name, pcm }) => [name, pcm.length])).toEqual([["1", 5 * 32_000]]);
  expect(segments[0]?.translation).toBe("es:one");
});

test("doesn't label speakers unless the upload asks for it", async () => {
  const engines = scriptedEngines({ speakers: true, transcribe: async () => [{ ...segment("one", 0, 5), speaker: "A" }] });
  const server = await startTestServer({ engines });
  const person = await signUp(server);
  const { id } = await read(await upload(person, buzzWav(6)), 202, Transcription);
  expect((await settled(person, id)).segments.map(({ speaker }) => speaker)).toEqual([undefined]);
});

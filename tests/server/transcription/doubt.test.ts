import { describe, expect, it, test } from "vitest";
import type { Transcription } from "#contract/index.ts";
import { Transcription as TranscriptionSchema } from "#contract/index.ts";
import { SpeechError, type TranscribeOptions } from "#server/speech/index.ts";
import { withDoubts } from "#server/transcription/doubt.ts";
import { until } from "#tests/fixtures/until.ts";
import { Dictation } from "#tests/server/dictation/dictation.ts";
import { getTranscription, read, settled, signUp, startTestServer, upload } from "#tests/server/harness.ts";
import { buzzWav, scriptedEngines, segment } from "#tests/server/jobs/scripted.ts";
import { diarized, scriptedDiarizer, twoVoices } from "#tests/server/processing/scripted-diarizer.ts";
import { change, history, save } from "./saved.ts";

const unsureIn = ({ segments }: Pick<Transcription, "segments">) =>
  segments.flatMap(({ words }) => words.flatMap(({ text, confidence }) => (confidence === undefined ? [] : [text])));

describe("withDoubts", () => {
  const recognized = [segment("Ten of clubs,", 0, 3), segment("four queen of gloves.", 4, 8)];
  const opinion = { start: 0, end: 10, text: "Ten of clubs four. queen of clubs" };

  it("marks words as unsure that the second opinion doesn't contain, ignoring case and punctuation", () => {
    const doubted = withDoubts(recognized, recognized, [opinion]);
    expect(unsureIn({ segments: doubted })).toEqual(["gloves."]);
    expect(doubted[1]?.words.at(-1)?.confidence).toBeLessThan(0.3);
  });

  it("marks no word that was corrected, has a confidence, or lacks a second opinion", () => {
    const corrected = [segment("Ten of clubs,", 0, 3), segment("four queen of hearts.", 4, 8)];
    expect(unsureIn({ segments: withDoubts(corrected, recognized, [opinion]) })).toEqual([]);
    const sure = recognized.map((one) => ({ ...one, words: one.words.map((word) => ({ ...word, confidence: 0.9 })) }));
    expect(withDoubts(sure, sure, [opinion])).toEqual(sure);
    expect(withDoubts(recognized, recognized, [{ ...opinion, end: 3, text: "Ten of clubs" }])).toEqual(recognized);
  });
});

/** An engine without confidence values whose second opinion differs in the last word. */
const unsureEngines = (second: (options: TranscribeOptions) => Promise<string> = async () => "how are you mine") =>
  scriptedEngines({
    confidence: false,
    transcribe: async (_, options) => {
      const text = options.cut === "elsewhere" ? await second(options) : "how are you fine";
      return [segment(text, 0, 4)];
    },
  });

test("marks the unsure words of a file after its text is ready", async () => {
  const release = Promise.withResolvers<string>();
  const server = await startTestServer({ engines: unsureEngines(() => release.promise) });
  const person = await signUp(server);
  const { id } = await read(await upload(person, buzzWav(6)), 202, TranscriptionSchema);
  const made = await settled(person, id);
  expect([made.text, made.progress?.stage, unsureIn(made)]).toEqual(["how are you fine", "finished", []]);
  release.resolve("how are you mine");
  await until(async () => expect(unsureIn(await getTranscription(person, id))).toEqual(["fine"]));
});

test("keeps corrections that are made while words are checked", async () => {
  const asked = Promise.withResolvers<void>();
  const release = Promise.withResolvers<string>();
  const second = () => {
    asked.resolve();
    return release.promise;
  };
  const server = await startTestServer({ engines: unsureEngines(second) });
  const person = await signUp(server);
  const { id } = await read(await upload(person, buzzWav(6)), 202, TranscriptionSchema);
  await settled(person, id);
  await asked.promise;
  await change(person, id, { edits: [{ index: 0, text: "where are you well" }] });
  release.resolve("who are they mine");
  await until(async () => expect(unsureIn(await getTranscription(person, id))).toEqual(["you"]));
  expect((await getTranscription(person, id)).text).toBe("where are you well");
});

test("keeps a transcription unchanged when the check of its words fails", async () => {
  let checks = 0;
  const second = async () => {
    checks += 1;
    throw new SpeechError("languageUnavailable", "Its model is gone.");
  };
  const server = await startTestServer({ engines: unsureEngines(second) });
  const person = await signUp(server);
  for (let file = 1; file <= 2; file += 1) {
    const { id } = await read(await upload(person, buzzWav(6)), 202, TranscriptionSchema);
    await settled(person, id);
    await until(() => expect(checks).toBe(file));
  }
  const { data } = await history(person);
  expect(data.map(({ status, error }) => [status, error])).toEqual([
    ["completed", null],
    ["completed", null],
  ]);
});

test("labels speakers on request while words are checked", async () => {
  const asked = Promise.withResolvers<void>();
  const release = Promise.withResolvers<string>();
  const second = () => {
    asked.resolve();
    return release.promise;
  };
  const server = await startTestServer({ engines: unsureEngines(second), diarizer: scriptedDiarizer(twoVoices(2.9)) });
  const person = await signUp(server);
  const { id } = await read(await upload(person, buzzWav(6)), 202, TranscriptionSchema);
  await settled(person, id);
  await asked.promise;
  const wish = { diarize: { speakers: null } };
  await read(await person.call("PUT", `/audio/remove-transcription/${id}`, wish), 200, TranscriptionSchema);
  release.resolve("how are you mine");
  expect((await diarized(person, id)).segments.map(({ speaker }) => speaker)).toEqual(["1", "2"]);
});

test("marks the unsure words of a dictation after it is saved", async () => {
  const server = await startTestServer({ engines: unsureEngines(async () => "w0 w1 w2 else") });
  const person = await signUp(server);
  const live = await Dictation.start(server.apiUrl, person.token);
  live.sendFrames(0, 20);
  live.say({ type: "end", frames: 20 });
  const { segments } = await live.next("done");
  const { id } = await save(person, {
    clientId: crypto.randomUUID(),
    recordingId: live.recordingId,
    title: "Dictated",
    segments,
  });
  await until(async () => expect(unsureIn(await getTranscription(person, id))).toEqual(["w3"]));
});

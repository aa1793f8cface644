import { expect, test } from "vitest";
import { Transcription } from "#contract/index.ts";
import { SpeechError } from "#server/speech/index.ts";
import { until } from "#tests/fixtures/until.ts";
import { Dictation } from "#tests/server/dictation/dictation.ts";
import {
  base,
  type Person,
  read,
  refusal,
  settled,
  signInAgain,
  signUp,
  startTestServer,
  upload,
} from "#tests/server/harness.ts";
import { buzzWav, scriptedEngines, segment } from "#tests/server/jobs/scripted.ts";
import { change, history, save } from "#tests/server/transcription/saved.ts";
import { diarized, scriptedDiarizer, twoVoices } from "./scripted-diarizer.ts";

const path = (id: string) => `/audio/remove-transcription/${id}`;
const usageOf = async (person: Person) => (await person.call("GET", "/api/v1/usage")).json();

/** An engine that waits for `go` and then recognizes "how are you", or fails. */
function heldEngines() {
  const { promise, resolve: go } = Promise.withResolvers<void>();
  const script = { isBroken: false, calls: 0 };
  const engines = scriptedEngines({
    transcribe: async () => {
      script.calls += 1;
      await promise;
      if (script.isBroken) throw new SpeechError("languageUnavailable", "its model is gone");
      return [segment("how are you", 0, 3)];
    },
  });
  return { engines, script, go };
}

/** A dictation of four seconds that the browser has recognized, and its person. */
async function dictated(
  options: Parameters<typeof startTestServer>[0],
  targetLanguage: string | null = null,
  { spoken = 20 } = {},
) {
  const server = await startTestServer(options);
  const person = await signUp(server);
  const live = new Dictation(server.apiUrl);
  await live.open();
  const { recordingId } = live;
  live.say({ type: "start", token: person.token, recordingId, sourceLanguage: "en", heardBy: "browser" });
  await live.next("ready");
  live.speak(0, spoken);
  live.sendFrames(spoken, 20);
  const heard = segment("who are you", 0, 3);
  live.say({ type: "heard", index: 0, segment: heard });
  live.say({ type: "end", frames: 20 });
  await live.next("done");
  const { id } = await save(person, { recordingId, segments: [heard], targetLanguage });
  return { server, person, id };
}

test("recognizes a browser's text again, translates it and counts no minutes twice", async () => {
  const { engines, script, go } = heldEngines();
  const { person, id } = await dictated({ engines }, "es");
  const before = await usageOf(person);
  const asked = await change(person, id, { recognize: true });
  expect(asked).toMatchObject({ status: "completed", text: "who are you", engine: "browser", progress: { stage: "waiting" } });
  await until(() => expect(script.calls).toBe(1));
  expect(await change(person, id, { recognize: true, title: "Twice" })).toMatchObject({
    status: "completed",
    text: "who are you",
  });
  go();
  const made = await diarized(person, id);
  expect(made).toMatchObject({ title: "Twice", text: "how are you", translatedText: "es:how are you", error: null });
  expect(made).toMatchObject({ engine: "moonshine-tiny-en", status: "completed", durationSeconds: 4, hasAudio: true });
  expect(made.segments).toMatchObject([{ text: "how are you", translation: "es:how are you", words: [{}, {}, {}] }]);
  expect([(await history(person, "?search=how+are")).data.length, script.calls]).toEqual([1, 1]);
  expect(await usageOf(person)).toEqual(before);
  expect(await refusal(await person.call("PUT", path(id), { recognize: true }))).toBe("409 conflict");
});

test("counts newly recognized words in the month in which they were spoken, whatever date the page gives", async () => {
  const { engines, go } = heldEngines();
  const now = () => Date.parse("2026-05-10T12:00:00Z");
  const { person, id } = await dictated({ engines, now }, null, { spoken: 10 });
  expect(await usageOf(person)).toMatchObject({ usedTranslationMinutes: 2 / 60 });
  go();
  await change(person, id, { recognize: true });
  expect(await diarized(person, id)).toMatchObject({ text: "how are you", date: "2026-03-01T10:00:00.000Z" });
  expect(await usageOf(person)).toMatchObject({ usedTranslationMinutes: 3 / 60 });
});

test("the event stream names the engine that recognized the text again", async () => {
  const { engines, go } = heldEngines();
  const { person, id } = await dictated({ engines });
  go();
  await change(person, id, { recognize: true });
  await diarized(person, id);
  const { body } = await person.call("GET", `${base}/transcription/${id}/events`);
  const reader = body?.pipeThrough(new TextDecoderStream()).getReader();
  let said = "";
  while (!said.includes("event: transcription")) said += (await reader?.read())?.value ?? "";
  await reader?.cancel();
  expect(said).toContain('"engine":"moonshine-tiny-en"');
});

test("keeps the text with a warning when the new recognition fails, until it succeeds", async () => {
  const { engines, script, go } = heldEngines();
  const { person, id } = await dictated({ engines });
  const before = await usageOf(person);
  script.isBroken = true;
  go();
  await change(person, id, { recognize: true });
  const failed = { status: "completed", text: "who are you", engine: "browser", error: { code: "recognitionFailed" } };
  expect(await diarized(person, id)).toMatchObject(failed);
  script.isBroken = false;
  expect((await change(person, id, { recognize: true })).error).toBeNull();
  expect(await diarized(person, id)).toMatchObject({ text: "how are you", error: null });
  expect(await usageOf(person)).toEqual(before);
});

test.each([
  ["a correction", { edits: [{ index: 0, text: "Who are you?" }] }, "Who are you?"],
  ["a name", { speakers: [{ name: "Ada", segments: [0] }] }, "who are you"],
])("%s made during the new recognition stays and ends it with a warning", async (_, correction, text) => {
  const { engines, script, go } = heldEngines();
  const { person, id } = await dictated({ engines });
  await change(person, id, { recognize: true });
  await until(() => expect(script.calls).toBe(1));
  const kept = { text, engine: "browser", progress: { stage: "finished" }, error: { code: "correctedMeanwhile" } };
  expect(await change(person, id, correction)).toMatchObject(kept);
  go();
  // The user asks again, for the text as it is now.
  const again = await change(person, id, { recognize: true, edits: [{ index: 0, text: "who?" }] });
  expect(again).toMatchObject({ text: "who?", error: null });
  expect(await diarized(person, id)).toMatchObject({ text: "how are you", engine: "moonshine-tiny-en" });
});

test("continues the new recognition after a restart of the server", async () => {
  const held = heldEngines();
  const { server, person, id } = await dictated({ engines: held.engines });
  await change(person, id, { recognize: true });
  await until(() => expect(held.script.calls).toBe(1));
  await server.close();
  const { engines, go } = heldEngines();
  go();
  const again = await startTestServer({ engines, dataDir: server.dataDir });
  const made = await diarized(await signInAgain(again, person), id);
  expect(made).toMatchObject({ text: "how are you", engine: "moonshine-tiny-en", error: null });
});

test("the new recognition waits while the transcription is in the trash", async () => {
  const { engines, script, go } = heldEngines();
  const { person, id } = await dictated({ engines });
  await change(person, id, { recognize: true });
  await until(() => expect(script.calls).toBe(1));
  expect((await person.call("DELETE", path(id))).status).toBe(200);
  go();
  expect(await change(person, id, { deletedAt: null })).toMatchObject({ status: "completed", text: "who are you" });
  expect(await diarized(person, id)).toMatchObject({ text: "how are you", error: null });
});

test.each(["of the old one", "with it"])(
  "finds out who speaks in the text recognized again when that was asked %s",
  async (when) => {
    const { engines, script, go } = heldEngines();
    const { person, id } = await dictated({ engines, diarizer: scriptedDiarizer(twoVoices(1.9)) });
    const diarize = { speakers: null };
    if (when === "of the old one") {
      await change(person, id, { diarize });
      await diarized(person, id);
    }
    await change(person, id, { recognize: true, ...(when === "with it" && { diarize }) });
    await until(() => expect(script.calls).toBe(1));
    expect(await refusal(await person.call("PUT", path(id), { diarize: { speakers: 2 } }))).toBe("409 conflict");
    go();
    const { segments } = await diarized(person, id);
    expect(segments.map(({ speaker, text }) => `${speaker}: ${text}`)).toEqual(["1: how are", "2: you"]);
  },
);

test("refuses to recognize the server's own text, a text without audio or engine, and another person's text", async () => {
  const { engines, go } = heldEngines();
  go();
  const { server, person, id } = await dictated({ engines });
  const other = await signUp(server);
  expect(await refusal(await other.call("PUT", path(id), { recognize: true }))).toBe("404 notFound");
  const file = await read(await upload(person, buzzWav(2)), 202, Transcription);
  await settled(person, file.id);
  const typed = await save(person, {});
  for (const refused of [file, typed])
    expect(await refusal(await person.call("PUT", path(refused.id), { recognize: true }))).toBe("409 conflict");
  await server.close();
  const without = await startTestServer({ engines: scriptedEngines({ languages: ["de-DE"] }), dataDir: server.dataDir });
  const again = await signInAgain(without, person);
  expect(await refusal(await again.call("PUT", path(id), { recognize: true }))).toBe("422 languageUnavailable");
});

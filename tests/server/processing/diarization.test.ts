import { expect, test } from "vitest";
import { EnginesAnswer, Transcription } from "#contract/index.ts";
import { SpeechError } from "#server/speech/index.ts";
import { until } from "#tests/fixtures/until.ts";
import { type Person, read, refusal, settled, signUp, startTestServer, upload } from "#tests/server/harness.ts";
import { buzzWav, scriptedEngines, segment } from "#tests/server/jobs/scripted.ts";
import { append, begin, idOf, newFields } from "#tests/server/uploads/tus.ts";
import { diarized, scriptedDiarizer, twoVoices } from "./scripted-diarizer.ts";

/**
 * Uploads a file with the protocol for resumable uploads.
 * @returns the id of the transcription
 */
async function uploadInParts(
  server: Parameters<typeof append>[0],
  person: Person,
  fields: Record<string, string>,
): Promise<string> {
  const wav = buzzWav(6);
  const path = await begin(person, { size: wav.length, fields: { ...newFields(), ...fields } });
  await append(server, person, path, { offset: 0, body: wav.subarray(0, 5000) });
  await append(server, person, path, { offset: 5000, body: wav.subarray(5000) });
  return idOf(path);
}

/** Engines that recognize four words in four seconds. */
const engines = () => scriptedEngines({ transcribe: async () => [segment("how are you fine", 0, 4)] });

const address = (id: string) => `/audio/remove-transcription/${id}`;
const shape = ({ segments }: Transcription) => segments.map(({ speaker, text }) => `${speaker}: ${text}`);

// PROMISE speech: A transcript says who spoke, and how long
test("finds out who speaks in a file and translates the text speaker by speaker", async () => {
  const diarizer = scriptedDiarizer(twoVoices(2.9));
  const server = await startTestServer({ engines: engines(), diarizer });
  const person = await signUp(server);
  const answer = await read(await person.call("GET", "/api/v1/engines"), 200, EnginesAnswer);
  expect(answer.speech.diarizes).toBe(true);
  expect(answer.speech.languages.filter(({ available, speakers }) => available !== (speakers === true))).toEqual([]);
  const { id, diarizes } = await read(
    await upload(person, buzzWav(6), { fields: { speakers: "1", targetLanguage: "es" } }),
    202,
    Transcription,
  );
  expect(diarizes).toBe(true);
  const made = await settled(person, id);
  expect(shape(made)).toEqual(["1: how are you", "2: fine"]);
  expect(made.segments.map(({ translation }) => translation)).toEqual(["es:how are you", "es:fine"]);
  expect(made.error).toBeNull();
  expect(diarizer.asked.map(({ samples, speakers }) => [samples, speakers])).toEqual([[6 * 16_000, undefined]]);
});

test.each(["at once", "in parts"])("a file uploaded %s keeps its number of speakers when the job is retried", async (how) => {
  let broken = true;
  const diarizer = scriptedDiarizer(twoVoices(2.9));
  const hearing = scriptedEngines({
    transcribe: async () => {
      // The job's other errors are retried automatically after half a minute.
      if (broken) throw new SpeechError("languageUnavailable", "its model is gone");
      return [segment("how are you fine", 0, 4)];
    },
  });
  const server = await startTestServer({ engines: hearing, diarizer });
  const person = await signUp(server);
  const fields = { speakers: "1", speakerCount: "3" };
  const { id } =
    how === "at once"
      ? await read(await upload(person, buzzWav(6), { fields }), 202, Transcription)
      : { id: await uploadInParts(server, person, fields) };
  expect((await settled(person, id)).status).toBe("failed");
  broken = false;
  await read(await person.call("PUT", address(id), { retry: true }), 200, Transcription);
  expect((await settled(person, id)).status).toBe("completed");
  expect(diarizer.asked.map(({ speakers }) => speakers)).toEqual([3]);
});

test.each(["0", "21", "some", "2.5"])("refuses %s as the number of speakers", async (speakerCount) => {
  const server = await startTestServer({ engines: engines(), diarizer: scriptedDiarizer(twoVoices(2)) });
  const person = await signUp(server);
  expect(await refusal(await upload(person, buzzWav(1), { fields: { speakers: "1", speakerCount } }))).toBe("400 badRequest");
});

test("does not separate speakers unless the user asks for it", async () => {
  const diarizer = scriptedDiarizer(twoVoices(2));
  const server = await startTestServer({ engines: engines(), diarizer });
  const person = await signUp(server);
  const { id } = await read(await upload(person, buzzWav(6)), 202, Transcription);
  expect(shape(await settled(person, id))).toEqual(["undefined: how are you fine"]);
  expect(diarizer.asked).toEqual([]);
});

test("completes the text with the warning diarizationFailed when the diarization fails", async () => {
  const diarizer = scriptedDiarizer(async () => {
    throw new SpeechError("engineFailed", "it broke");
  });
  const server = await startTestServer({ engines: engines(), diarizer });
  const person = await signUp(server);
  const { id } = await read(await upload(person, buzzWav(6), { fields: { speakers: "1" } }), 202, Transcription);
  const made = await settled(person, id);
  expect(made).toMatchObject({ status: "completed", text: "how are you fine", error: { code: "diarizationFailed" } });
});

test("a diarization can be repeated with a number of speakers, keeps their names and costs no minutes", async () => {
  const diarizer = scriptedDiarizer(twoVoices(1.9));
  const server = await startTestServer({ engines: engines(), diarizer });
  const person = await signUp(server);
  const { id } = await read(await upload(person, buzzWav(6), { fields: { targetLanguage: "es" } }), 202, Transcription);
  await settled(person, id);
  const before = await (await person.call("GET", "/api/v1/usage")).json();

  const asked = await read(await person.call("PUT", address(id), { diarize: { speakers: null } }), 200, Transcription);
  expect(asked).toMatchObject({ status: "completed", text: "how are you fine", progress: { stage: "waiting" } });
  const two = await diarized(person, id);
  expect(shape(two)).toEqual(["1: how are", "2: you fine"]);
  expect(two.segments.map(({ translation }) => translation)).toEqual(["es:how are", "es:you fine"]);
  expect(two.translatedText).toContain("es:you fine");

  await read(await person.call("PUT", address(id), { speakers: [{ name: "Ada", segments: [1] }] }), 200, Transcription);
  await person.call("PUT", address(id), { diarize: { speakers: 2 } });
  expect(shape(await diarized(person, id))).toEqual(["1: how are", "Ada: you fine"]);
  await person.call("PUT", address(id), { diarize: { speakers: 1 } });
  expect(shape(await diarized(person, id))).toEqual(["Ada: how are", "Ada: you fine"]);
  expect(diarizer.asked.map(({ speakers }) => speakers)).toEqual([undefined, 2, 1]);
  expect(await (await person.call("GET", "/api/v1/usage")).json()).toEqual(before);
});

test("keeps a correction of the text that is made during the diarization", async () => {
  const going = Promise.withResolvers<void>();
  const diarizer = scriptedDiarizer(async (request) => {
    await going.promise;
    return twoVoices(2.9)(request);
  });
  const server = await startTestServer({ engines: engines(), diarizer });
  const person = await signUp(server);
  const { id } = await read(await upload(person, buzzWav(6)), 202, Transcription);
  await settled(person, id);
  await person.call("PUT", address(id), { diarize: { speakers: null } });
  await until(() => expect(diarizer.asked).toHaveLength(1));
  await read(await person.call("PUT", address(id), { edits: [{ index: 0, text: "How are you? Fine" }] }), 200, Transcription);
  going.resolve();
  expect(shape(await diarized(person, id))).toEqual(["1: How are you?", "2: Fine"]);
});

test("a failed later diarization leaves a warning until a later one succeeds", async () => {
  let isBroken = true;
  const diarizer = scriptedDiarizer(async (request) => {
    if (isBroken) throw new SpeechError("languageUnavailable", "it can't");
    return twoVoices(2.9)(request);
  });
  const server = await startTestServer({ engines: engines(), diarizer });
  const person = await signUp(server);
  const { id } = await read(await upload(person, buzzWav(6)), 202, Transcription);
  await settled(person, id);
  await person.call("PUT", address(id), { diarize: { speakers: 3 } });
  const failed = await diarized(person, id);
  expect(failed).toMatchObject({ status: "completed", text: "how are you fine", error: { code: "diarizationFailed" } });
  isBroken = false;
  await person.call("PUT", address(id), { diarize: { speakers: null } });
  expect(await diarized(person, id)).toMatchObject({ error: null });
});

test("refuses a diarization without models, before the text is finished, with invalid numbers or by others", async () => {
  const going = Promise.withResolvers<void>();
  const slow = scriptedEngines({
    transcribe: async () => {
      await going.promise;
      return [segment("hello", 0, 1)];
    },
  });
  const without = { ...scriptedDiarizer(twoVoices(1)), isAvailable: () => false };
  const server = await startTestServer({ engines: slow, diarizer: without });
  const person = await signUp(server);
  const other = await signUp(server);
  const { id } = await read(await upload(person, buzzWav(6), { fields: { speakers: "1" } }), 202, Transcription);
  expect((await person.call("PUT", address(id), { diarize: { speakers: null } })).status).toBe(409);
  going.resolve();
  const made = await settled(person, id);
  expect(made.error).toBeNull();
  expect((await person.call("PUT", address(id), { diarize: { speakers: null } })).status).toBe(503);
  expect((await person.call("PUT", address(id), { diarize: { speakers: 21 } })).status).toBe(400);
  expect((await person.call("PUT", address(id), { diarize: { speakers: 0 } })).status).toBe(400);
  expect((await other.call("PUT", address(id), { diarize: { speakers: null } })).status).toBe(404);
});

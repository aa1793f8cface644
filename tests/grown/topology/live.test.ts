import { afterAll, beforeAll, expect, test } from "vitest";
import { closeCodes, LoginAnswer, type Segment, Transcription } from "#contract/index.ts";
import { fuzz } from "#tests/fixtures/fuzz.ts";
import { startTopology, type Topology } from "#tests/grown/harness-topology.ts";
import { allWords, Dictation, textOf } from "#tests/server/dictation/dictation.ts";
import { asPerson, base, type Person, post, read } from "#tests/server/harness.ts";
import { save } from "#tests/server/transcription/saved.ts";

// A dictation continues on another process, whatever happens to the first one.

let topology: Topology;
beforeAll(async () => {
  topology = await startTopology({ workers: 0 });
});
afterAll(() => topology?.close());

function processes() {
  const [one, other] = topology.apis;
  if (one === undefined || other === undefined) throw new Error("There are two.");
  return [one, other] as const;
}

async function signUp(): Promise<Person> {
  const email = `${crypto.randomUUID()}@example.org`;
  const { accessToken } = await read(
    await post(topology, "/auth/register", { email, password: "correct horse" }),
    201,
    LoginAnswer,
  );
  return asPerson(topology, accessToken, email);
}

/** The first sample of each second of a transcription's audio. */
async function secondsOf(person: Person, id: string): Promise<number[]> {
  const answer = await person.call("GET", `${base}/transcription/${id}/audio`);
  expect(answer.status, answer.ok ? "" : `${await answer.text()}\n${topology.log()}`).toBe(200);
  const wav = Buffer.from(await answer.arrayBuffer());
  return Array.from({ length: (wav.length - 44) / 32_000 }, (_, i) => wav.readInt16LE(44 + i * 32_000));
}

/** Ends a dictation of so many seconds, and saves it. */
async function finish(live: Dictation, person: Person, seconds: number): Promise<Transcription> {
  live.say({ type: "end", frames: seconds * 5 });
  const { segments } = await live.next("done");
  return save(person, { recordingId: live.recordingId, segments });
}

// PROMISE processes: A dictation goes on at another process
test("continues a dictation at the other process after a kill, from the last confirmed frame", async () => {
  const [one] = processes();
  const person = await signUp();
  const live = await Dictation.start(one.apiUrl, person.token);
  live.sendFrames(0, 40);
  await live.acked(40);
  await one.kill();
  await live.closed;

  const again = await Dictation.start(topology.apiUrl, person.token, live.recordingId);
  const ready = again.messages.find(({ type }) => type === "ready");
  expect(ready).toMatchObject({ ack: 40 });
  again.sendFrames(40, 75);
  const saved = await finish(again, person, 15);
  await one.start();
  expect(textOf(saved.segments)).toBe(allWords(15));
  expect(await secondsOf(person, saved.id)).toEqual(Array.from({ length: 15 }, (_, i) => i));
});

test("keeps the sound of a dictation that is saved while its connection still ends", async () => {
  const [one] = processes();
  const people = await Promise.all(Array.from({ length: 4 }, signUp));
  // The two work concurrently only for milliseconds: without a lock they would collide in some of these runs.
  const times = 4 * fuzz.factor;
  const lengths = await Promise.all(
    people.map(async (person) => {
      const heard: number[] = [];
      for (let time = 0; time < times; time++) {
        const live = await Dictation.start(one.apiUrl, person.token);
        live.sendFrames(0, 10);
        const { id } = await finish(live, asPerson(one, person.token, person.email), 2);
        heard.push((await secondsOf(person, id)).length);
      }
      return heard;
    }),
  );
  expect(lengths.flat()).toEqual(Array.from({ length: 4 * times }, () => 2));
});

test("stores and confirms nothing in a process that the page has left unnoticed", async () => {
  const [one, other] = processes();
  const person = await signUp();
  const live = await Dictation.start(one.apiUrl, person.token);
  live.sendFrames(0, 40);
  await live.acked(40);
  // It is stored after its audio is confirmed: no other process can have taken the recording while this process was
  // suspended.
  await live.next("final", ({ index }) => index === 1);
  one.pause();
  // The process receives these as soon as it continues.
  live.sendFrames(40, 60);

  const again = await Dictation.start(other.apiUrl, person.token, live.recordingId);
  again.sendFrames(40, 75);
  await again.acked(75);
  one.resume();
  expect(await live.closed).toBe(closeCodes.elsewhere);
  const confirmed = live.messages.flatMap((message) => (message.type === "ack" ? message.ack : []));
  expect(Math.max(...confirmed)).toBe(40);

  const saved = await finish(again, person, 15);
  expect(textOf(saved.segments)).toBe(allWords(15));
  expect(await secondsOf(person, saved.id)).toEqual(Array.from({ length: 15 }, (_, i) => i));
});

test("takes a recording saved at one process from the other's connection", async () => {
  const [one, other] = processes();
  const person = await signUp();
  const live = await Dictation.start(one.apiUrl, person.token);
  live.sendFrames(0, 20);
  await live.acked(20);
  const segment = { start: 0, end: 4, text: "what I said", words: [] };
  const saved = await save(asPerson(other, person.token), { recordingId: live.recordingId, segments: [segment] });
  expect(await live.closed).toBe(closeCodes.elsewhere);
  expect(await secondsOf(person, saved.id)).toEqual([0, 1, 2, 3]);
});

test("accepts simultaneous turns of a conversation at any process", async () => {
  const person = await signUp();
  const conversation = crypto.randomUUID();
  const languages = { languages: ["en", "es-ES"], sourceLanguage: "en", targetLanguage: "es" };
  const say = async (minute: number) => {
    const live = await Dictation.start(topology.apiUrl, person.token);
    live.sendFrames(0, 10);
    live.say({ type: "end", frames: 10 });
    await live.next("done");
    const segments: Segment[] = [{ start: 0, end: 2, text: `turn ${minute}`, words: [], translation: "vez" }];
    const date = new Date(Date.parse("2026-03-01T12:00:00Z") + minute * 60_000).toISOString();
    const path = `${base}/conversations/${conversation}/turns/${live.recordingId}`;
    return read(await person.call("PUT", path, { title: "A talk", ...languages, segments, date }), 200, Transcription);
  };
  const minutes = [0, 1, 2, 3, 4, 5];
  const { id } = await say(0);
  await Promise.all(minutes.slice(1).map(say));
  const made = await read(await person.call("GET", `${base}/transcription/${id}`), 200, Transcription);
  expect(made.segments.map(({ text }) => text)).toEqual(minutes.map((minute) => `turn ${minute}`));
  expect(await secondsOf(person, id)).toEqual(minutes.flatMap(() => [0, 1]));
});

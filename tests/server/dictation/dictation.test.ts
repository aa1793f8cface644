import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Segment } from "#contract/index.ts";
import { SpeechError } from "#server/speech/engine.ts";
import { base, type Person, settled, signInAgain, signUp, startTestServer, testClock } from "#tests/server/harness.ts";
import { openScriptedStream, scriptedEngines } from "#tests/server/jobs/scripted.ts";
import { change, history, save } from "#tests/server/transcription/saved.ts";
import { allWords, Dictation, textOf } from "./dictation.ts";

const saveFinal = (person: Person, recordingId: string, segments: Segment[], clientId: string = crypto.randomUUID()) =>
  save(person, { clientId, recordingId, title: "Dictated", segments });

const signedIn = async (options: Parameters<typeof startTestServer>[0] = {}) => {
  const server = await startTestServer(options);
  return { server, person: await signUp(server) };
};

describe("dictation", () => {
  test("sends interim text and finals with times, and is done when every word is final", async () => {
    const { server, person } = await signedIn();
    const live = await Dictation.start(server.apiUrl, person.token);
    live.sendFrames(0, 30);
    expect(await live.next("partial")).toEqual({ type: "partial", text: "w0", start: 0 });
    const final = await live.next("final");
    expect(final).toMatchObject({ index: 0, segment: { start: 0, end: 4, text: "w0 w1 w2 w3" } });
    await live.acked(30);
    live.say({ type: "end", frames: 30 });
    const done = await live.next("done");
    expect(textOf(done.segments)).toBe(allWords(6));
    expect(done.segments.at(-1)).toMatchObject({ start: 4, end: 6 });
    expect(done.durationSeconds).toBe(6);
    expect(await live.closed).toBe(1000);
  });

  test("saves a dictation once, with audio that can be played", async () => {
    const { server, person } = await signedIn();
    const live = await Dictation.start(server.apiUrl, person.token);
    live.sendFrames(0, 10);
    live.say({ type: "end", frames: 10 });
    const { segments } = await live.next("done");
    const clientId = crypto.randomUUID();
    const saved = await saveFinal(person, live.recordingId, segments, clientId);
    expect(saved).toMatchObject({ origin: "dictation", status: "completed", hasAudio: true, durationSeconds: 2, text: "w0 w1" });
    expect(await saveFinal(person, live.recordingId, segments, clientId)).toEqual(saved);
    const audio = Buffer.from(await (await person.call("GET", `${base}/transcription/${saved.id}/audio`)).arrayBuffer());
    expect(audio.length).toBe(44 + 10 * 6_400);
    expect(audio.toString("latin1", 0, 4)).toBe("RIFF");
    expect(audio.readInt16LE(44 + 5 * 6_400)).toBe(1);
    expect(await readdir(join(server.dataDir, "live"))).toEqual([]);
    // The dictation is saved, so a late connection is refused.
    const late = new Dictation(server.apiUrl, { recordingId: live.recordingId });
    await late.open();
    late.say({ type: "start", token: person.token, recordingId: live.recordingId, sourceLanguage: "en" });
    expect((await late.next("error")).code).toBe("gone");
  });

  test("makes one transcription when a dictation is saved under two client ids at once", async () => {
    const { server, person } = await signedIn();
    const live = await Dictation.start(server.apiUrl, person.token);
    live.sendFrames(0, 10);
    live.say({ type: "end", frames: 10 });
    const { segments } = await live.next("done");
    const both = await Promise.all([1, 2].map(() => saveFinal(person, live.recordingId, segments)));
    expect(both[0]?.id).toBe(both[1]?.id);
    expect((await history(person)).data).toMatchObject([{ id: both[0]?.id, hasAudio: true }]);
    expect(await readdir(join(server.dataDir, "incoming"))).toEqual([]);
    expect(await readdir(join(server.dataDir, "audio"))).toHaveLength(1);
  });

  test("adds a late translation to a saved dictation unless its text was corrected", async () => {
    const { person } = await signedIn();
    const segments = [{ start: 0, end: 1, text: "good day", words: [] }];
    const translated = segments.map((segment) => ({ ...segment, translation: "buenos días" }));
    const draft = { clientId: crypto.randomUUID(), targetLanguage: "es", segments };
    const { id } = await save(person, draft);
    const late = { ...draft, segments: translated, translatedText: "buenos días" };
    expect(await save(person, late)).toMatchObject({ id, translatedText: "buenos días", segments: translated });

    const other = { ...draft, clientId: crypto.randomUUID() };
    const corrected = await save(person, other);
    await change(person, corrected.id, { edits: [{ index: 0, text: "good night" }] });
    expect(await save(person, { ...late, clientId: other.clientId })).toMatchObject({
      text: "good night",
      translatedText: "es:good night",
    });
  });

  test("saves a silent dictation without segments and with the error noSpeech", async () => {
    const { server, person } = await signedIn();
    const live = await Dictation.start(server.apiUrl, person.token);
    live.say({ type: "end", frames: 0 });
    expect(await live.next("done")).toEqual({ type: "done", segments: [], durationSeconds: 0 });
    expect(await saveFinal(person, live.recordingId, [])).toMatchObject({ hasAudio: false, error: { code: "noSpeech" } });
  });
});

describe("failing engine of a dictation", () => {
  test("restarts a failed engine from the last final segment", async () => {
    let streams = 0;
    const engines = scriptedEngines({
      openStream: async (options) => {
        const stream = await openScriptedStream(options);
        streams += 1;
        let seconds = 0;
        const dies = streams <= 2;
        const write = async (pcm: Buffer) => {
          await stream.write(pcm);
          seconds += pcm.length / 32_000;
          if (dies && seconds >= 6) options.onError(new Error("fell over"));
        };
        return { ...stream, write };
      },
    });
    const { server, person } = await signedIn({ engines });
    const live = await Dictation.start(server.apiUrl, person.token);
    live.sendFrames(0, 100);
    live.say({ type: "end", frames: 100 });
    expect(textOf((await live.next("done")).segments)).toBe(allWords(20));
    expect(streams).toBe(3);
  });

  test("reports that too many people dictate, and resumes the dictation when there is room", async () => {
    let isFull = true;
    const engines = scriptedEngines({
      openStream: async (options) => {
        if (isFull) throw new SpeechError("tooManyAtOnce", "Too many dictations at the same time.");
        return openScriptedStream(options);
      },
    });
    const { server, person } = await signedIn({ engines });
    const live = await Dictation.start(server.apiUrl, person.token);
    expect((await live.next("error")).code).toBe("tooManyAtOnce");
    await live.closed;
    isFull = false;
    const again = await Dictation.start(server.apiUrl, person.token, live.recordingId);
    again.sendFrames(0, 10);
    again.say({ type: "end", frames: 10 });
    expect(textOf((await again.next("done")).segments)).toBe(allWords(2));
  });

  test("gives up after repeated engine failures but keeps the audio", async () => {
    let broken = true;
    const engines = scriptedEngines({
      openStream: async (options) => {
        if (broken) throw new Error("no memory");
        return openScriptedStream(options);
      },
    });
    const { server, person } = await signedIn({ engines });
    const live = await Dictation.start(server.apiUrl, person.token);
    expect((await live.next("error")).code).toBe("engineFailed");
    expect(await live.closed).toBe(1011);
    broken = false;
    const again = await Dictation.start(server.apiUrl, person.token, live.recordingId);
    again.sendFrames(0, 5);
    again.say({ type: "end", frames: 5 });
    expect(textOf((await again.next("done")).segments)).toBe("w0");
  });
});

test("stores a long backlog at once while the engine is still busy", async () => {
  let fed = 0;
  let held = true;
  const release = Promise.withResolvers<void>();
  const engines = scriptedEngines({
    openStream: async (options) => {
      const stream = await openScriptedStream(options);
      const write = async (pcm: Buffer) => {
        if (held) await release.promise;
        fed += pcm.length;
        await stream.write(pcm);
      };
      return { ...stream, write };
    },
  });
  const { server, person } = await signedIn({ engines });
  const live = await Dictation.start(server.apiUrl, person.token);
  live.sendFrames(0, 1_500);
  await live.acked(1_500);
  expect(fed).toBe(0);
  held = false;
  release.resolve();
  live.say({ type: "end", frames: 1_500 });
  expect(textOf((await live.next("done")).segments)).toBe(allWords(300));
});

describe("abandoned recording", () => {
  async function leftBehind() {
    const clock = testClock();
    const { server, person } = await signedIn({ now: clock.now });
    const live = await Dictation.start(server.apiUrl, person.token);
    live.sendFrames(0, 20);
    await live.acked(20);
    await live.cut();
    return { clock, server, person, live };
  }

  test("becomes a transcription after half an hour, and a late save adds its text", async () => {
    const { clock, server, person, live } = await leftBehind();
    clock.advance(29 * 60_000);
    await server.sweep();
    expect(await readdir(join(server.dataDir, "audio"))).toEqual([]);
    clock.advance(60_000);
    await server.sweep();
    const later = await signInAgain(server, person);
    const [row, ...others] = (await history(later)).data;
    expect(others).toEqual([]);
    expect(row).toMatchObject({ title: "2026-03-01 12:00", origin: "dictation", hasAudio: true });
    expect(await settled(later, row?.id ?? "")).toMatchObject({ status: "completed", durationSeconds: 4 });
    expect(await readdir(join(server.dataDir, "live"))).toEqual([]);
    const saved = await saveFinal(later, live.recordingId, [{ start: 0, end: 4, text: "what I said", words: [] }]);
    expect(saved).toMatchObject({ id: row?.id, text: "what I said", title: "Dictated", hasAudio: true });
    expect((await history(later)).data).toHaveLength(1);
  });

  test("saving the words of a deleted recording restores its transcription for good", async () => {
    const { clock, server, person, live } = await leftBehind();
    clock.advance(30 * 60_000);
    await server.sweep();
    const later = await signInAgain(server, person);
    const [row] = (await history(later)).data;
    await later.call("DELETE", `/audio/remove-transcription/${row?.id}`);
    await saveFinal(later, live.recordingId, [{ start: 0, end: 4, text: "what I said", words: [] }]);
    clock.advance(11 * 60_000);
    await server.sweep();
    expect((await history(later)).data).toMatchObject([{ id: row?.id, text: "what I said", status: "completed" }]);
  });

  test("deletes an abandoned recording without audio", async () => {
    const clock = testClock();
    const { server, person } = await signedIn({ now: clock.now });
    const live = await Dictation.start(server.apiUrl, person.token);
    await live.cut();
    clock.advance(31 * 60_000);
    await server.sweep();
    expect((await history(await signInAgain(server, person))).data).toEqual([]);
    expect(await readdir(join(server.dataDir, "live"))).toEqual([]);
  });
});

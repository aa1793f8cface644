import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { closeCodes, HistoryAnswer, maxFrameBytes, type Segment, Transcription } from "../../src/api/contract/index.ts";
import { allWords, Dictation, frame, textOf } from "./dictation.ts";
import { base, type Person, read, settled, signInAgain, signUp, startTestServer, testClock } from "./harness.ts";
import { openScriptedStream, scriptedEngines } from "./scripted.ts";

async function saveFinal(
  person: Person,
  recordingId: string,
  segments: Segment[],
  clientId: string = crypto.randomUUID(),
): Promise<Transcription> {
  const final = {
    clientId,
    recordingId,
    title: "Dictated",
    text: textOf(segments),
    segments,
    sourceLanguage: "en",
    targetLanguage: null,
    date: "2026-03-01T10:00:00.000Z",
  };
  return read(await person.call("POST", `${base}/save-final-transcription`, final), 200, Transcription);
}

const signedIn = async (options: Parameters<typeof startTestServer>[0] = {}) => {
  const server = await startTestServer(options);
  return { server, person: await signUp(server) };
};

describe("a dictation", () => {
  test("gives interim text, finals with times, and is done when every word is final", async () => {
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

  test("is saved with its audio, once, and can be played", async () => {
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
    // Its connection has nothing more to say.
    const late = new Dictation(server.apiUrl, { recordingId: live.recordingId });
    await late.open();
    late.say({ type: "start", token: person.token, recordingId: live.recordingId, sourceLanguage: "en" });
    expect((await late.next("error")).code).toBe("gone");
  });

  test("of silence has no segments", async () => {
    const { server, person } = await signedIn();
    const live = await Dictation.start(server.apiUrl, person.token);
    live.say({ type: "end", frames: 0 });
    expect(await live.next("done")).toEqual({ type: "done", segments: [], durationSeconds: 0 });
    expect(await saveFinal(person, live.recordingId, [])).toMatchObject({ hasAudio: false, error: { code: "noSpeech" } });
  });
});

describe("a lost connection", () => {
  test("in the middle of a sentence loses no word and doubles none", async () => {
    const { server, person } = await signedIn();
    const first = await Dictation.start(server.apiUrl, person.token);
    first.sendFrames(0, 33);
    await first.acked(33);
    await first.next("final");
    await first.cut();
    const second = new Dictation(server.apiUrl, { recordingId: first.recordingId });
    await second.open();
    second.say({ type: "start", token: person.token, recordingId: first.recordingId, sourceLanguage: "en" });
    const ready = await second.next("ready");
    expect(ready.ack).toBe(33);
    expect(textOf(ready.segments)).toBe(allWords(4));
    second.sendFrames(30, 60);
    second.say({ type: "end", frames: 60 });
    const { segments } = await second.next("done");
    expect(textOf(segments)).toBe(allWords(12));
    expect(segments.map(({ start, end }) => [start, end])).toEqual([
      [0, 4],
      [4, 8],
      [8, 12],
    ]);
  });

  test("after the end was said gives the same answer again", async () => {
    const { server, person } = await signedIn();
    const first = await Dictation.start(server.apiUrl, person.token);
    first.sendFrames(0, 20);
    first.say({ type: "end", frames: 20 });
    const { segments } = await first.next("done");
    const second = await Dictation.start(server.apiUrl, person.token, first.recordingId);
    second.say({ type: "end", frames: 20 });
    expect((await second.next("done")).segments).toEqual(segments);
  });

  test("goes on after the server was started anew", async () => {
    const { server, person } = await signedIn();
    const first = await Dictation.start(server.apiUrl, person.token);
    first.sendFrames(0, 27);
    await first.acked(27);
    await first.next("final");
    await server.close();
    expect(await first.closed).toBe(1001);
    const again = await startTestServer({ dataDir: server.dataDir });
    const second = await Dictation.start(again.apiUrl, person.token, first.recordingId);
    expect(second.messages[0]).toMatchObject({ type: "ready", ack: 27 });
    second.sendFrames(27, 40);
    second.say({ type: "end", frames: 40 });
    expect(textOf((await second.next("done")).segments)).toBe(allWords(8));
  });

  test("that left a gap is asked for what is missing, once", async () => {
    const { server, person } = await signedIn();
    const live = await Dictation.start(server.apiUrl, person.token);
    live.sendFrames(0, 5);
    live.sendFrames(8, 12);
    expect((await live.next("ready")).ack).toBe(5);
    live.say({ type: "end", frames: 12 });
    expect((await live.next("ready")).ack).toBe(5);
    live.sendFrames(5, 15);
    live.say({ type: "end", frames: 15 });
    expect(textOf((await live.next("done")).segments)).toBe(allWords(3));
    expect(live.messages.filter(({ type }) => type === "ready")).toHaveLength(3);
  });

  test("whose place was taken by a newer one is told so", async () => {
    const { server, person } = await signedIn();
    const first = await Dictation.start(server.apiUrl, person.token);
    first.sendFrames(0, 5);
    const second = await Dictation.start(server.apiUrl, person.token, first.recordingId);
    expect(await first.closed).toBe(closeCodes.elsewhere);
    const [ready] = second.messages;
    const stored = ready?.type === "ready" ? ready.ack : -1;
    second.sendFrames(stored, 10);
    second.say({ type: "end", frames: 10 });
    expect(textOf((await second.next("done")).segments)).toBe(allWords(2));
  });

  test("of somebody else with the same id is another recording", async () => {
    const { server, person } = await signedIn();
    const first = await Dictation.start(server.apiUrl, person.token);
    first.sendFrames(0, 5);
    await first.acked(5);
    const stranger = await Dictation.start(server.apiUrl, (await signUp(server)).token, first.recordingId);
    expect(stranger.messages[0]).toEqual({ type: "ready", ack: 0, segments: [] });
    first.say({ type: "end", frames: 5 });
    expect(textOf((await first.next("done")).segments)).toBe("w0");
  });
});

describe("an engine that dies", () => {
  test("is started again from the last final", async () => {
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

  test("again and again is given up for now; the audio is safe", async () => {
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

describe("garbage", () => {
  async function closedAfter(say: (live: Dictation) => void, started = false): Promise<number> {
    const { server, person } = await signedIn();
    const live = started ? await Dictation.start(server.apiUrl, person.token) : new Dictation(server.apiUrl);
    if (!started) await live.open();
    say(live);
    return live.closed;
  }

  test.each<[string, (live: Dictation) => void]>([
    ["no JSON", (live) => live.say("hello")],
    ["another message", (live) => live.say({ type: "end", frames: 0 })],
    ["audio before the start", (live) => live.sendBytes(frame(0))],
    ["a recording id that is none", (live) => live.say({ type: "start", token: "x", recordingId: "1", sourceLanguage: "en" })],
  ])("as the first message (%s) closes", async (_, say) => {
    expect(await closedAfter(say)).toBe(closeCodes.badMessage);
  });

  test.each<[string, (live: Dictation) => void, number]>([
    ["a second start", (live) => live.say({ type: "start" }), closeCodes.badMessage],
    ["a frame without samples", (live) => live.sendBytes(Buffer.alloc(4)), closeCodes.badMessage],
    ["half a sample", (live) => live.sendBytes(Buffer.alloc(7)), closeCodes.badMessage],
    ["a frame that is too long", (live) => live.sendBytes(Buffer.alloc(maxFrameBytes + 2)), closeCodes.badMessage],
    ["a message that is far too long", (live) => live.sendBytes(Buffer.alloc(100_000)), 1009],
  ])("later (%s) closes", async (_, say, code) => {
    expect(await closedAfter(say, true)).toBe(code);
  });

  test("a bad token is refused", async () => {
    const { server } = await signedIn();
    const live = new Dictation(server.apiUrl);
    await live.open();
    live.say({ type: "start", token: "a.b.c", recordingId: live.recordingId, sourceLanguage: "en" });
    expect((await live.next("error")).code).toBe("unauthorized");
    expect(await live.closed).toBe(closeCodes.unauthorized);
  });

  test("a language that no engine hears is refused with its reason", async () => {
    const { server, person } = await signedIn();
    const live = new Dictation(server.apiUrl);
    await live.open();
    live.say({ type: "start", token: person.token, recordingId: live.recordingId, sourceLanguage: "fi-FI" });
    expect((await live.next("error")).code).toBe("languageUnavailable");
  });

  test("silence instead of a first message closes", async () => {
    const { server } = await signedIn({ liveTimes: { firstMessageMs: 20 } });
    const live = new Dictation(server.apiUrl);
    await live.open();
    expect(await live.closed).toBe(closeCodes.badMessage);
  });

  test("a page of another origin gets no socket", async () => {
    const { server } = await signedIn();
    await expect(new Dictation(server.apiUrl, { origin: "http://evil.example" }).open()).rejects.toThrow("403");
    await expect(new Dictation(server.apiUrl, { origin: server.pageUrl }).open()).resolves.toBeUndefined();
  });
});

test("a long backlog is stored as fast as it comes, while the engine takes its time", async () => {
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

describe("a recording that was left behind", () => {
  async function leftBehind() {
    const clock = testClock();
    const { server, person } = await signedIn({ now: clock.now });
    const live = await Dictation.start(server.apiUrl, person.token);
    live.sendFrames(0, 20);
    await live.acked(20);
    await live.cut();
    return { clock, server, person, live };
  }

  const history = async (person: Person) =>
    (await read(await person.call("GET", `${base}/transcription-history`), 200, HistoryAnswer)).data;

  test("becomes an ordinary transcription after half an hour, which a late save gives its text", async () => {
    const { clock, server, person, live } = await leftBehind();
    clock.advance(29 * 60_000);
    await server.sweep();
    expect(await readdir(join(server.dataDir, "audio"))).toEqual([]);
    clock.advance(60_000);
    await server.sweep();
    const later = await signInAgain(server, person);
    const [row, ...others] = await history(later);
    expect(others).toEqual([]);
    expect(row).toMatchObject({ title: "2026-03-01 12:00", origin: "dictation", hasAudio: true });
    expect(await settled(later, row?.id ?? "")).toMatchObject({ status: "completed", durationSeconds: 4 });
    expect(await readdir(join(server.dataDir, "live"))).toEqual([]);
    const saved = await saveFinal(later, live.recordingId, [{ start: 0, end: 4, text: "what I said", words: [] }]);
    expect(saved).toMatchObject({ id: row?.id, text: "what I said", title: "Dictated", hasAudio: true });
    expect(await history(later)).toHaveLength(1);
  });

  test("without a sound is forgotten", async () => {
    const clock = testClock();
    const { server, person } = await signedIn({ now: clock.now });
    const live = await Dictation.start(server.apiUrl, person.token);
    await live.cut();
    clock.advance(31 * 60_000);
    await server.sweep();
    expect(await history(await signInAgain(server, person))).toEqual([]);
    expect(await readdir(join(server.dataDir, "live"))).toEqual([]);
  });
});

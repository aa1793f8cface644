import { describe, expect, test } from "vitest";
import { signInAgain, signUp, startTestServer, testClock } from "#tests/server/harness.ts";
import { scriptedEngines } from "#tests/server/jobs/scripted.ts";
import { history, save } from "#tests/server/transcription/saved.ts";
import { Dictation } from "./dictation.ts";

const said = (text: string, start: number) => ({ start, end: start + 1, text, words: [] });

/** Opens a page whose browser recognizes German, which no engine of this server does. */
async function open(clock = testClock(), options: Parameters<typeof startTestServer>[0] = {}) {
  const server = await startTestServer({ now: clock.now, engines: scriptedEngines(), ...options });
  const person = await signUp(server);
  const connect = async (recordingId?: string, more: object = { heardBy: "browser" }) => {
    const live = new Dictation(server.apiUrl, recordingId === undefined ? {} : { recordingId });
    await live.open();
    live.say({ type: "start", token: person.token, recordingId: live.recordingId, sourceLanguage: "de-DE", ...more });
    return live;
  };
  return { clock, server, person, connect };
}

describe("dictation recognized by the browser", () => {
  test("keeps the words and the audio of a dictation that the browser recognizes", async () => {
    const { person, connect } = await open();
    const live = await connect();
    await live.next("ready");
    live.sendFrames(0, 20);
    live.say({ type: "heard", index: 0, segment: said("Guten Tag", 0) });
    expect(await live.next("final")).toEqual({ type: "final", index: 0, segment: said("Guten Tag", 0) });
    live.say({ type: "heard", index: 1, segment: said("zusammen", 2) });
    live.say({ type: "end", frames: 20 });
    const done = await live.next("done");
    expect(done).toMatchObject({ segments: [{ text: "Guten Tag" }, { text: "zusammen" }], durationSeconds: 4 });
    const { recordingId } = live;
    const draft = { clientId: crypto.randomUUID(), recordingId, sourceLanguage: "de-DE" as const, segments: done.segments };
    expect(await save(person, draft)).toMatchObject({ hasAudio: true, durationSeconds: 4, text: "Guten Tag zusammen" });
  });

  test("ignores words that are stored already and asks for missing ones after a lost connection", async () => {
    const { connect } = await open();
    const live = await connect();
    live.sendFrames(0, 10);
    live.say({ type: "heard", index: 0, segment: said("eins", 0) });
    await live.next("final");
    await live.acked(10);
    await live.cut();
    const again = await connect(live.recordingId);
    expect(await again.next("ready")).toMatchObject({ ack: 10, segments: [{ text: "eins" }] });
    again.say({ type: "heard", index: 0, segment: said("eins", 0) });
    again.say({ type: "heard", index: 2, segment: said("drei", 1) });
    expect(await again.next("ready")).toMatchObject({ segments: [{ text: "eins" }] });
    again.say({ type: "heard", index: 1, segment: said("zwei", 1) });
    expect(await again.next("final")).toMatchObject({ index: 1, segment: { text: "zwei" } });
    again.say({ type: "end", frames: 10 });
    expect((await again.next("done")).segments.map(({ text }) => text)).toEqual(["eins", "zwei"]);
  });

  test("refuses a language without an engine unless the browser recognizes it", async () => {
    const { connect } = await open();
    const live = await connect(undefined, {});
    expect((await live.next("error")).code).toBe("languageUnavailable");
  });

  test("refuses the browser's words for a recording of an engine, empty words and too many words", async () => {
    const { person, server, connect } = await open();
    const heard = await Dictation.start(server.apiUrl, person.token);
    heard.say({ type: "heard", index: 0, segment: said("made up", 0) });
    expect(await heard.closed).toBe(4400);
    const empty = await connect();
    await empty.next("ready");
    empty.say({ type: "heard", index: 0, segment: said(" ", 0) });
    expect(await empty.closed).toBe(4400);
    const flood = await connect();
    await flood.next("ready");
    for (let index = 0; index <= 100; index++) flood.say({ type: "heard", index, segment: said("word", index) });
    expect(await flood.closed).toBe(4400);
  });

  test("keeps the browser's words of an abandoned recording", async () => {
    const { clock, server, person, connect } = await open();
    const live = await connect();
    live.sendFrames(0, 10);
    live.say({ type: "heard", index: 0, segment: said("Guten Tag", 0) });
    await live.next("final");
    await live.acked(10);
    await live.cut();
    clock.advance(30 * 60_000);
    await server.sweep();
    const rows = (await history(await signInAgain(server, person))).data;
    expect(rows).toMatchObject([{ status: "completed", text: "Guten Tag", sourceLanguage: "de-DE", hasAudio: true }]);
  });

  describe("dictation recognized by a model on the device", () => {
    const device = { heardBy: "device", sourceLanguage: "en" };
    const words = [{ text: "hello", start: 0.25, end: 0.75 }];
    const hello = { ...said("hello", 0), words };

    /** Begins two seconds of English with one word that the device has recognized. */
    async function begin(...parts: Parameters<typeof open>) {
      const opened = await open(...parts);
      const live = await opened.connect(undefined, device);
      await live.next("ready");
      live.sendFrames(0, 10);
      live.say({ type: "heard", index: 0, segment: hello });
      expect(await live.next("final")).toMatchObject({ segment: hello });
      return { ...opened, live };
    }

    test("stores the times of the words and the device as the engine", async () => {
      const { person, live } = await begin();
      live.say({ type: "end", frames: 10 });
      const { segments } = await live.next("done");
      const draft = { clientId: crypto.randomUUID(), recordingId: live.recordingId, sourceLanguage: "en" as const, segments };
      const saved = await save(person, draft);
      expect(saved).toMatchObject({ engine: "device", text: "hello", status: "completed", segments: [{ words }] });
    });

    test("keeps the device's words when the recording is abandoned", async () => {
      const clock = testClock();
      const { person, server, live } = await begin(clock);
      live.say({ type: "end", frames: 10 });
      await live.next("done");
      clock.advance(30 * 60_000);
      await server.sweep();
      const rows = (await history(await signInAgain(server, person))).data;
      expect(rows).toMatchObject([{ status: "completed", text: "hello" }]);
    });

    test("an engine recognizes the whole recording when the device can't go on", async () => {
      const { connect, live } = await begin();
      await live.acked(10);
      await live.cut();
      const again = await connect(live.recordingId, { sourceLanguage: "en" });
      expect(await again.next("ready")).toMatchObject({ ack: 10, segments: [] });
      again.say({ type: "end", frames: 10 });
      const { segments } = await again.next("done");
      expect(segments[0]?.text).not.toBe("hello");
      expect(segments).not.toEqual([]);
    });
  });
});

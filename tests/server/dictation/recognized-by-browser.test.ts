import { describe, expect, test } from "vitest";
import { signInAgain, signUp, startTestServer, testClock } from "#tests/server/harness.ts";
import { scriptedEngines } from "#tests/server/jobs/scripted.ts";
import { history, save } from "#tests/server/transcription/saved.ts";
import { Dictation } from "./dictation.ts";

const said = (text: string, start: number) => ({ start, end: start + 1, text, words: [] });

/** A page whose browser hears German, which no engine here does. */
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

describe("a dictation that the browser hears", () => {
  test("keeps its words, its sound, and who heard it", async () => {
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

  test("goes on after a lost connection: what the server has is ignored, what is missing is asked for", async () => {
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

  test("is not opened for a language that nobody hears unless the page says that its browser does", async () => {
    const { connect } = await open();
    const live = await connect(undefined, {});
    expect((await live.next("error")).code).toBe("languageUnavailable");
  });

  test("takes no words for a recording that an engine hears, and none without a sound", async () => {
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

  test("that was left behind keeps the words that were there, as no engine can hear them again", async () => {
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

  describe("or a model on the person's device", () => {
    const device = { heardBy: "device", sourceLanguage: "en" };
    const words = [{ text: "hello", start: 0.25, end: 0.75 }];
    const hello = { ...said("hello", 0), words };

    /** Two seconds of English, with one word that the device has recognized. */
    async function begin(...parts: Parameters<typeof open>) {
      const opened = await open(...parts);
      const live = await opened.connect(undefined, device);
      await live.next("ready");
      live.sendFrames(0, 10);
      live.say({ type: "heard", index: 0, segment: hello });
      expect(await live.next("final")).toMatchObject({ segment: hello });
      return { ...opened, live };
    }

    test("keeps the times of its words, and who recognized it", async () => {
      const { person, live } = await begin();
      live.say({ type: "end", frames: 10 });
      const { segments } = await live.next("done");
      const draft = { clientId: crypto.randomUUID(), recordingId: live.recordingId, sourceLanguage: "en" as const, segments };
      const saved = await save(person, draft);
      expect(saved).toMatchObject({ engine: "device", text: "hello", status: "completed", segments: [{ words }] });
    });

    test("keeps all its words when nobody comes back to save it", async () => {
      const clock = testClock();
      const { person, server, live } = await begin(clock);
      live.say({ type: "end", frames: 10 });
      await live.next("done");
      clock.advance(30 * 60_000);
      await server.sweep();
      const rows = (await history(await signInAgain(server, person))).data;
      expect(rows).toMatchObject([{ status: "completed", text: "hello" }]);
    });

    test("is recognized by an engine, all of it, when the device can't go on", async () => {
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

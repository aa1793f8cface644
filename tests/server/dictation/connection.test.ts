import { describe, expect, onTestFinished, test } from "vitest";
import { closeCodes, LoginAnswer, maxFrameBytes } from "#contract/index.ts";
import { openTestDb } from "#tests/server/database.ts";
import { eventually, post, read, signInAgain, signUp, startTestServer, testClock } from "#tests/server/harness.ts";
import { history } from "#tests/server/transcription/saved.ts";
import { allWords, Dictation, frame, textOf } from "./dictation.ts";

const signedIn = async (options: Parameters<typeof startTestServer>[0] = {}) => {
  const server = await startTestServer(options);
  return { server, person: await signUp(server) };
};

describe("lost connection of a dictation", () => {
  test("resumes a dictation in the middle of a sentence without losing or doubling a word", async () => {
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

  test("gives the same answer again when the connection is lost after the end", async () => {
    const { server, person } = await signedIn();
    const first = await Dictation.start(server.apiUrl, person.token);
    first.sendFrames(0, 20);
    first.say({ type: "end", frames: 20 });
    const { segments } = await first.next("done");
    const second = await Dictation.start(server.apiUrl, person.token, first.recordingId);
    second.say({ type: "end", frames: 20 });
    expect((await second.next("done")).segments).toEqual(segments);
  });

  test("resumes a dictation after a restart of the server", async () => {
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

  test("asks once for frames that are missing in a gap", async () => {
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

  test('closes the older connection of a recording with the code "elsewhere"', async () => {
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

  test("the same recording id of another person is another recording", async () => {
    const { server, person } = await signedIn();
    const first = await Dictation.start(server.apiUrl, person.token);
    first.sendFrames(0, 5);
    await first.acked(5);
    const other = await Dictation.start(server.apiUrl, (await signUp(server)).token, first.recordingId);
    expect(other.messages[0]).toEqual({ type: "ready", ack: 0, segments: [] });
    first.say({ type: "end", frames: 5 });
    expect(textOf((await first.next("done")).segments)).toBe("w0");
  });
});

describe("invalid messages of a dictation", () => {
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
    ["an invalid recording id", (live) => live.say({ type: "start", token: "x", recordingId: "1", sourceLanguage: "en" })],
  ])("closes the connection when the first message is invalid: %s", async (_, say) => {
    expect(await closedAfter(say)).toBe(closeCodes.badMessage);
  });

  test.each<[string, (live: Dictation) => void, number]>([
    ["a second start", (live) => live.say({ type: "start" }), closeCodes.badMessage],
    ["a frame without samples", (live) => live.sendBytes(Buffer.alloc(4)), closeCodes.badMessage],
    ["half a sample", (live) => live.sendBytes(Buffer.alloc(7)), closeCodes.badMessage],
    ["a frame above the limit", (live) => live.sendBytes(Buffer.alloc(maxFrameBytes + 2)), closeCodes.badMessage],
    ["a message far above the limit", (live) => live.sendBytes(Buffer.alloc(100_000)), 1009],
  ])("closes the connection after a later invalid message: %s", async (_, say, code) => {
    expect(await closedAfter(say, true)).toBe(code);
  });

  test("refuses a dictation with an invalid token", async () => {
    const { server } = await signedIn();
    const live = new Dictation(server.apiUrl);
    await live.open();
    live.say({ type: "start", token: "a.b.c", recordingId: live.recordingId, sourceLanguage: "en" });
    expect((await live.next("error")).code).toBe("unauthorized");
    expect(await live.closed).toBe(closeCodes.unauthorized);
  });

  test("refuses a dictation in a language that no engine recognizes", async () => {
    const { server, person } = await signedIn();
    const live = new Dictation(server.apiUrl);
    await live.open();
    live.say({ type: "start", token: person.token, recordingId: live.recordingId, sourceLanguage: "fi-FI" });
    expect((await live.next("error")).code).toBe("languageUnavailable");
  });

  test("closes the connection when no first message arrives", async () => {
    const { server } = await signedIn({ liveTimes: { firstMessageMs: 20 } });
    const live = new Dictation(server.apiUrl);
    await live.open();
    expect(await live.closed).toBe(closeCodes.badMessage);
  });

  test("closes the connection when the page does not answer pings", async () => {
    const { server, person } = await signedIn({ liveTimes: { pingMs: 20 } });
    const live = new Dictation(server.apiUrl, { answersPings: false });
    await live.open();
    live.say({ type: "start", token: person.token, recordingId: live.recordingId, sourceLanguage: "en" });
    expect(await live.closed).toBe(1006);
  });

  test("a dictation ends when its session ends", async () => {
    const server = await startTestServer({ liveTimes: { pingMs: 1_500 } });
    const registered = await post(server, "/auth/register", { email: "ada@example.org", password: "correct horse" });
    const [cookie = ""] = registered.headers.getSetCookie();
    const { accessToken } = await read(registered, 201, LoginAnswer);
    const live = await Dictation.start(server.apiUrl, accessToken);
    await post(server, "/auth/logout", {}, { Cookie: cookie.split(";", 1)[0] ?? "" });
    expect((await live.next("error")).code).toBe("unauthorized");
    expect(await live.closed).toBe(closeCodes.unauthorized);
  });

  test("stops a recording that exceeds the size limit", async () => {
    const { server, person } = await signedIn({ env: { MAX_UPLOAD_MB: "1" } });
    const live = await Dictation.start(server.apiUrl, person.token);
    live.sendFrames(0, 170);
    expect((await live.next("error")).code).toBe("tooLarge");
    expect(await live.closed).toBe(closeCodes.badMessage);
  });

  test("closes the connection after thousands of tiny frames and keeps the received audio", async () => {
    const { server, person } = await signedIn();
    const live = await Dictation.start(server.apiUrl, person.token);
    for (let number = 0; number < 1_500; number++) {
      const tiny = Buffer.alloc(6);
      tiny.writeUInt32LE(number);
      live.sendBytes(tiny);
    }
    expect((await live.next("error")).code).toBe("tooManyRequests");
    expect(await live.closed).toBe(closeCodes.tooFast);
    const again = await Dictation.start(server.apiUrl, person.token, live.recordingId);
    expect(again.messages[0]).toMatchObject({ type: "ready", ack: 1_001 });
  });

  test.each<[string, Buffer | object]>([
    ["a frame number far ahead", Buffer.concat([Buffer.from("ffffffff", "hex"), frame(0).subarray(4)])],
    ["an end far ahead", { type: "end", frames: 2 ** 52 }],
  ])("answers %s with the next expected frame and loses nothing", async (_, message) => {
    const { server, person } = await signedIn();
    const live = await Dictation.start(server.apiUrl, person.token);
    live.sendFrames(0, 5);
    if (Buffer.isBuffer(message)) live.sendBytes(message);
    else live.say(message);
    expect((await live.next("ready")).ack).toBe(5);
    live.say({ type: "end", frames: 5 });
    expect(textOf((await live.next("done")).segments)).toBe("w0");
  });

  test.each([-1, 0.5, "5", null])("closes the connection when the end message says %s frames", async (frames) => {
    expect(await closedAfter((live) => live.say({ type: "end", frames }), true)).toBe(closeCodes.badMessage);
  });

  test("closes an idle dictation and later turns its recording into a transcription", async () => {
    const clock = testClock();
    const { server, person } = await signedIn({ now: clock.now, liveTimes: { pingMs: 1_500, idleMs: 100 } });
    const live = await Dictation.start(server.apiUrl, person.token);
    live.sendFrames(0, 10);
    expect(await live.closed).toBe(closeCodes.idle);
    clock.advance(31 * 60_000);
    await server.sweep();
    const [row] = (await history(await signInAgain(server, person))).data;
    expect(row).toMatchObject({ origin: "dictation", hasAudio: true });
  });

  test("refuses a new recording when a person has fifty unsaved ones, but resumes old ones", async () => {
    const { server, person } = await signedIn();
    const first = await Dictation.start(server.apiUrl, person.token);
    await first.cut();
    const db = await openTestDb(server.dataDir);
    onTestFinished(() => db.destroy());
    const row = await db.selectFrom("recordings").selectAll().executeTakeFirstOrThrow();
    const others = Array.from({ length: 49 }, () => ({ ...row, id: crypto.randomUUID(), recording_id: crypto.randomUUID() }));
    await db.insertInto("recordings").values(others).execute();
    const next = new Dictation(server.apiUrl);
    await next.open();
    next.say({ type: "start", token: person.token, recordingId: next.recordingId, sourceLanguage: "en" });
    expect((await next.next("error")).code).toBe("tooManyAtOnce");
    await Dictation.start(server.apiUrl, person.token, first.recordingId);
  });

  test("refuses a ninth simultaneous dictation of one person", async () => {
    const { server, person } = await signedIn();
    const open = await Promise.all(Array.from({ length: 8 }, () => Dictation.start(server.apiUrl, person.token)));
    const ninth = new Dictation(server.apiUrl);
    await ninth.open();
    const start = { type: "start", token: person.token, recordingId: ninth.recordingId, sourceLanguage: "en" };
    ninth.say(start);
    expect((await ninth.next("error")).code).toBe("tooManyAtOnce");
    expect(await ninth.closed).toBe(closeCodes.tooFast);
    // Other people can still dictate, and closing one dictation makes room for another.
    await Dictation.start(server.apiUrl, (await signUp(server)).token);
    await open[0]?.cut();
    await eventually(
      async () => {
        const next = new Dictation(server.apiUrl);
        await next.open();
        next.say({ ...start, recordingId: next.recordingId });
        return Promise.race([next.next("ready").then(() => "ready"), next.closed]);
      },
      (outcome) => outcome === "ready",
    );
  });

  test("refuses a socket for a page of another origin", async () => {
    const { server } = await signedIn();
    await expect(new Dictation(server.apiUrl, { origin: "http://evil.example" }).open()).rejects.toThrow("403");
    await expect(new Dictation(server.apiUrl, { origin: server.pageUrl }).open()).resolves.toBeUndefined();
  });
});

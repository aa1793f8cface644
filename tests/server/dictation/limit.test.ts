import { describe, expect, test } from "vitest";
import { Usage, UserProfile } from "#contract/index.ts";
import { openSql } from "#tests/server/database.ts";
import {
  eventually,
  type Person,
  read,
  refusal,
  signInAgain,
  signUp,
  startTestServer,
  testClock,
  upload,
} from "#tests/server/harness.ts";
import { silentWav } from "#tests/server/jobs/scripted.ts";
import { subscribe } from "#tests/server/subscription/subscribed.ts";
import { save } from "#tests/server/transcription/saved.ts";
import { allWords, Dictation, textOf } from "./dictation.ts";

// The free tier's minutes while somebody dictates (SPEC.md section 9, "Free-tier limit"). A frame is 200 ms.

const usedSeconds = async (person: Person) =>
  (await read(await person.call("GET", "/api/v1/usage"), 200, Usage)).usedTranslationMinutes * 60;

/** Uses up the month's minutes except for this many seconds. */
async function leave(dataDir: string, person: Person, seconds: number, month = new Date().toISOString().slice(0, 7)) {
  const { id } = await read(await person.call("GET", "/users/me"), 200, UserProfile);
  using db = openSql(dataDir);
  const insert = db.prepare("insert into usage (user_id, source, month, samples) values (?, 'before', ?, ?)");
  insert.run(id ?? "", month, (600 - seconds) * 16_000);
}

async function signedIn(seconds: number, options: Parameters<typeof startTestServer>[0] = {}) {
  const server = await startTestServer(options);
  const person = await signUp(server);
  await leave(server.dataDir, person, seconds);
  return { server, person };
}

/**
 * Sends frames until the server accepts no more.
 * @returns the number of accepted frames
 */
async function speakToTheEnd(live: Dictation, from: number, to: number): Promise<number> {
  live.speak(from, to);
  const { frames } = await live.next("limit", (limit) => limit.frames !== null);
  return frames ?? -1;
}

describe("free-tier limit during a dictation", () => {
  test("takes two more seconds of a dictation at the limit, then nothing, and keeps the recording", async () => {
    const { server, person } = await signedIn(2);
    const live = await Dictation.start(server.apiUrl, person.token);
    live.speak(0, 10);
    await live.acked(10);
    expect(live.messages.some(({ type }) => type === "limit")).toBe(false);
    expect(await speakToTheEnd(live, 10, 200)).toBe(20);
    expect(live.messages.filter(({ type }) => type === "limit")).toEqual([
      { type: "limit", frames: null },
      { type: "limit", frames: 20 },
    ]);
    expect(await usedSeconds(person)).toBe(602);
    live.say({ type: "end", frames: 200 });
    await live.next("limit", ({ frames }) => frames === 20);
    live.say({ type: "end", frames: 20 });
    const { segments, durationSeconds } = await live.next("done");
    expect([textOf(segments), durationSeconds]).toEqual([allWords(4), 4]);
    const saved = await save(person, { recordingId: live.recordingId, segments });
    expect(saved).toMatchObject({ durationSeconds: 4, hasAudio: true, status: "completed" });
    expect(await usedSeconds(person)).toBe(602);
    const next = new Dictation(server.apiUrl);
    await next.open();
    next.say({ type: "start", token: person.token, recordingId: next.recordingId, sourceLanguage: "en" });
    expect(await next.next("error")).toMatchObject({ code: "limitReached" });
    expect(await refusal(await upload(person, silentWav(1)))).toBe("402 limitReached");
  });

  test("drops words that the device recognized in audio beyond the limit", async () => {
    const { server, person } = await signedIn(2);
    const live = await Dictation.start(server.apiUrl, person.token, undefined, { heardBy: "device" });
    expect(await speakToTheEnd(live, 0, 200)).toBe(20);
    const said = [1, 3, 5, 7].map((start) => ({ start, end: start + 1.5, text: `from ${start}`, words: [] }));
    for (const [index, segment] of said.entries()) live.say({ type: "heard", index, segment });
    live.say({ type: "end", frames: 20 });
    expect((await live.next("done")).segments.map(({ text }) => text)).toEqual(["from 1", "from 3"]);
  });

  test("reconnecting does not reset the limit of a dictation", async () => {
    const { server, person } = await signedIn(4);
    const live = await Dictation.start(server.apiUrl, person.token);
    live.speak(0, 15);
    await live.acked(15);
    await live.cut();
    for (let attempt = 0; attempt < 3; attempt++) {
      const again = await Dictation.start(server.apiUrl, person.token, live.recordingId);
      const frames = await speakToTheEnd(again, attempt === 0 ? 15 : 30, 400);
      expect(frames).toBe(30);
      await again.cut();
    }
    expect(await usedSeconds(person)).toBe(602);
  });

  test("exceeds the limit by at most three seconds for each parallel dictation, also on two servers", async () => {
    const { server, person } = await signedIn(20);
    const other = await startTestServer({ dataDir: server.dataDir });
    const lives = await Promise.all([server, server, other, other].map(({ apiUrl }) => Dictation.start(apiUrl, person.token)));
    const taken = await Promise.all(lives.map((live) => speakToTheEnd(live, 0, 600)));
    const seconds = taken.reduce((sum, frames) => sum + frames / 5, 0);
    expect(seconds).toBeGreaterThanOrEqual(20);
    expect(seconds).toBeLessThanOrEqual(22 + 4 * 3);
    for (const live of lives) await live.cut();
    await eventually(
      () => usedSeconds(person),
      (used) => Math.abs(used - 580 - seconds) < 0.001,
    );
  });

  test("a person who subscribes during a dictation goes on, and stops when the subscription ends", async () => {
    const { server, person } = await signedIn(2);
    await subscribe(server.dataDir, person, { id: "paid" });
    const live = await Dictation.start(server.apiUrl, person.token);
    live.speak(0, 100);
    await live.acked(100);
    using db = openSql(server.dataDir);
    db.exec("update subscriptions set status = 'canceled' where id = 'paid'");
    live.speak(100, 116);
    expect(await live.next("limit")).toEqual({ type: "limit", frames: null });
    db.exec("update subscriptions set status = 'active' where id = 'paid'");
    await live.cut();
    const again = await Dictation.start(server.apiUrl, person.token, live.recordingId);
    again.speak(0, 200);
    await again.acked(200);
    expect(again.messages.some(({ type }) => type === "limit")).toBe(false);
    expect(await usedSeconds(person)).toBeGreaterThan(598 + 37);
  });

  test("uses the new month's minutes when a month begins during a dictation", async () => {
    const clock = testClock(Date.parse("2026-03-31T23:59:50Z"));
    const server = await startTestServer({ now: clock.now });
    const person = await signUp(server);
    await leave(server.dataDir, person, 5, "2026-03");
    const live = await Dictation.start(server.apiUrl, person.token);
    live.speak(0, 15);
    await live.acked(15);
    clock.advance(20_000);
    live.speak(15, 100);
    await live.acked(100);
    expect(live.messages.some(({ type }) => type === "limit")).toBe(false);
    live.say({ type: "end", frames: 100 });
    const { segments } = await live.next("done");
    const later = await signInAgain(server, person);
    await save(later, { recordingId: live.recordingId, segments });
    expect(await usedSeconds(later)).toBe(17);
    clock.advance(-20_000);
    expect(await usedSeconds(later)).toBe(598);
  });

  test("disconnects a page that sends beyond the limit and makes a transcription of the accepted audio", async () => {
    const clock = testClock();
    const server = await startTestServer({ now: clock.now, liveTimes: { syncMs: 0, limitMs: 50 } });
    const person = await signUp(server);
    await leave(server.dataDir, person, 2, "2026-03");
    const live = await Dictation.start(server.apiUrl, person.token);
    await speakToTheEnd(live, 0, 100);
    expect(await live.next("error")).toMatchObject({ code: "limitReached" });
    expect(await live.closed).toBe(4400);
    clock.advance(31 * 60_000);
    await server.sweep();
    const later = await signInAgain(server, person);
    const list = async () => (await later.call("GET", "/api/v1/audio-transcriptions/transcription-history")).text();
    expect(await eventually(list, (text) => text.includes('"completed"'))).toContain('"durationSeconds":4');
    expect(await usedSeconds(later)).toBe(602);
  });
});

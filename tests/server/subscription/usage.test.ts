import { describe, expect, test } from "vitest";
import { LoginAnswer, Transcription, Usage } from "#contract/index.ts";
import { Dictation } from "#tests/server/dictation/dictation.ts";
import {
  asPerson,
  eventually,
  getTranscription,
  type Person,
  post,
  read,
  refusal,
  settled,
  signInAgain,
  signUp,
  startTestServer,
  testClock,
  upload,
} from "#tests/server/harness.ts";
import { buzzWav, scriptedEngines, segment, silentWav, spokenWav } from "#tests/server/jobs/scripted.ts";
import { save } from "#tests/server/transcription/saved.ts";
import { subscribe } from "./subscribed.ts";
import { useUp } from "./used-up.ts";

const march = Date.parse("2026-03-20T12:00:00Z");
const day = 24 * 60 * 60 * 1000;

const usageOf = async (person: Person) => read(await person.call("GET", "/api/v1/usage"), 200, Usage);
const usedBy = async (person: Person) => (await usageOf(person)).usedTranslationMinutes;

/** Transcribes a file of this many minutes, until it succeeds or fails. */
async function transcribe(person: Person, minutes: number, fields: Record<string, string> = {}): Promise<Transcription> {
  const { id } = await read(await upload(person, spokenWav(minutes * 60), { fields }), 202, Transcription);
  return settled(person, id);
}

/** Recognizes words throughout the sound. */
const heardAll = (pcm: Buffer) => [segment("words", 0, pcm.length / 32_000)];

const retry = (person: Person, id: string) => person.call("PUT", `/audio/remove-transcription/${id}`, { retry: true });

describe("used minutes", () => {
  // SPEC 9: "10 translation minutes per month"
  test("counts audio minutes by calendar month in UTC", async () => {
    const clock = testClock(march);
    const server = await startTestServer({ now: clock.now });
    const person = await signUp(server);
    expect(await usageOf(person)).toEqual({ usedTranslationMinutes: 0, limitMinutes: 10, resetsAt: "2026-04-01T00:00:00.000Z" });
    await transcribe(person, 0.5);
    expect(await usedBy(person)).toBe(0.5);
    clock.advance(Date.parse("2026-03-31T23:59:59Z") - march);
    const later = await signInAgain(server, person);
    expect(await usedBy(later)).toBe(0.5);
    clock.advance(1_000);
    expect(await usageOf(later)).toEqual({ usedTranslationMinutes: 0, limitMinutes: 10, resetsAt: "2026-05-01T00:00:00.000Z" });
    expect(await usedBy(await signUp(server))).toBe(0);
  });

  test("resets December's minutes on the first of January", async () => {
    const clock = testClock(Date.parse("2026-12-31T23:00:00Z"));
    const server = await startTestServer({ now: clock.now });
    expect((await usageOf(await signUp(server))).resetsAt).toBe("2027-01-01T00:00:00.000Z");
  });

  test("counts minutes for the month in which the work was accepted", async () => {
    const clock = testClock(Date.parse("2026-03-31T23:59:50Z"));
    const held = Promise.withResolvers<void>();
    const decode = async (_: string, { onPcm }: { onPcm: (pcm: Buffer) => unknown }) => {
      await held.promise;
      await onPcm(spokenWav(6).subarray(44));
      return { durationSeconds: 6, truncated: false, hasHoles: false, tracks: [], track: 1, type: "audio/wav" };
    };
    const server = await startTestServer({ now: clock.now, decode });
    const person = await signUp(server);
    const { id } = await read(await upload(person, silentWav(1)), 202, Transcription);
    clock.advance(20_000);
    held.resolve();
    await settled(person, id);
    expect(await usedBy(person)).toBe(0);
    clock.advance(-20_000);
    expect(await usedBy(person)).toBe(0.1);
  });

  test("keeps counting minutes after a deletion and counts a repeated upload once", async () => {
    const server = await startTestServer();
    const person = await signUp(server);
    const fields = { clientId: crypto.randomUUID() };
    const { id } = await transcribe(person, 0.1, fields);
    expect(await transcribe(person, 0.1, fields)).toMatchObject({ id });
    expect(await usedBy(person)).toBe(0.1);
    await person.call("DELETE", `/audio/remove-transcription/${id}`);
    expect(await usedBy(person)).toBe(0.1);
  });

  test("returns a failed job's minutes and counts them once after a retry", async () => {
    let broken = true;
    const transcribeOrFail = async (pcm: Buffer) => {
      if (broken) throw new Error("fell over");
      return heardAll(pcm);
    };
    // Retries at once: otherwise the test must move the clock, and the sign-in expires.
    const workerTimes = { pollMs: 15, beatMs: 30, retryMs: [0] };
    const server = await startTestServer({ workerTimes, engines: scriptedEngines({ transcribe: transcribeOrFail }) });
    const person = await signUp(server);
    const { id } = await read(await upload(person, buzzWav(6)), 202, Transcription);
    const failed = await settled(person, id);
    expect(failed.error?.code).toBe("engineFailed");
    expect(await usedBy(person)).toBe(0);
    broken = false;
    await read(await retry(person, id), 200, Transcription);
    await settled(person, id);
    expect(await usedBy(person)).toBe(0.1);
  });

  test("counts a dictation once while it runs, despite reconnections and repeated saves", async () => {
    const server = await startTestServer();
    const person = await signUp(server);
    const live = await Dictation.start(server.apiUrl, person.token);
    live.speak(0, 150);
    await live.acked(150);
    // Usage lags by up to three seconds.
    expect(
      await eventually(
        () => usedBy(person),
        (used) => used >= 0.45,
      ),
    ).toBeLessThanOrEqual(0.5);
    live.speak(150, 153);
    await live.acked(153);
    await live.cut();
    expect(
      await eventually(
        () => usedBy(person),
        (used) => used > 0.5,
      ),
    ).toBeCloseTo(30.6 / 60, 6);
    const again = await Dictation.start(server.apiUrl, person.token, live.recordingId);
    again.speak(150, 180);
    again.say({ type: "end", frames: 180 });
    const { segments } = await again.next("done");
    expect(await usedBy(person)).toBe(0.6);
    const draft = { clientId: crypto.randomUUID(), recordingId: live.recordingId, segments };
    await save(person, draft);
    await save(person, draft);
    expect(await usedBy(person)).toBe(0.6);
  });

  test("counts an abandoned recording once, in the month in which it began", async () => {
    const clock = testClock(Date.parse("2026-03-31T23:50:00Z"));
    const server = await startTestServer({ now: clock.now });
    const person = await signUp(server);
    const live = await Dictation.start(server.apiUrl, person.token);
    live.speak(0, 30);
    await live.acked(30);
    await live.cut();
    clock.advance(31 * 60_000);
    const later = await signInAgain(server, person);
    await server.sweep();
    const history = async () => (await later.call("GET", "/api/v1/audio-transcriptions/transcription-history")).text();
    await eventually(history, (text) => text.includes('"completed"'));
    expect(await usedBy(later)).toBe(0);
    clock.advance(-31 * 60_000);
    expect(await usedBy(later)).toBe(0.1);
  });

  test("requires a token for usage", async () => {
    const server = await startTestServer();
    expect((await fetch(`${server.apiUrl}/api/v1/usage`)).status).toBe(401);
  });
});

describe("the limit of minutes", () => {
  // SPEC 9: "10 translation minutes per month"
  test("refuses new work at the limit, keeps earlier work, and resets with the next month", async () => {
    const clock = testClock(march);
    const server = await startTestServer({ now: clock.now });
    const person = await signUp(server);
    const clientId = crypto.randomUUID();
    await useUp(server.dataDir, person, 9.5, march);
    // Exactly the remaining minutes.
    const { id, status } = await transcribe(person, 0.5, { clientId });
    expect(status).toBe("completed");
    expect(await usedBy(person)).toBe(10);
    expect(await refusal(await upload(person, silentWav(1)))).toBe("402 limitReached");
    // The answer to an accepted upload may have been lost: a repeated request is no new work.
    expect(await read(await upload(person, silentWav(1), { fields: { clientId } }), 202, Transcription)).toMatchObject({ id });
    const live = new Dictation(server.apiUrl);
    await live.open();
    live.say({ type: "start", token: person.token, recordingId: live.recordingId, sourceLanguage: "en" });
    expect(await live.next("error")).toMatchObject({ code: "limitReached" });
    await live.closed;
    expect((await getTranscription(person, id)).hasAudio).toBe(true);

    clock.advance(12 * day);
    const later = await signInAgain(server, person);
    expect((await transcribe(later, 0.1)).status).toBe("completed");
  });

  test("ends and saves a running dictation at the limit even over a lost connection", async () => {
    const server = await startTestServer();
    const person = await signUp(server);
    const live = await Dictation.start(server.apiUrl, person.token);
    live.speak(0, 5);
    await live.acked(5);
    await live.cut();
    await useUp(server.dataDir, person, 10 - 1 / 60);
    expect(await refusal(await upload(person, silentWav(1)))).toBe("402 limitReached");
    const again = await Dictation.start(server.apiUrl, person.token, live.recordingId);
    again.speak(5, 20);
    // Two seconds that were on their way are still accepted.
    expect(await again.next("limit", ({ frames }) => frames !== null)).toEqual({ type: "limit", frames: 15 });
    again.say({ type: "end", frames: 15 });
    const { segments } = await again.next("done");
    expect(await save(person, { recordingId: live.recordingId, segments })).toMatchObject({ durationSeconds: 3, hasAudio: true });
    expect(await usedBy(person)).toBeCloseTo(10 + 2 / 60, 6);
  });

  test("fails a file longer than the remaining minutes before recognition and resumes it after an upgrade", async () => {
    let heard = 0;
    const transcribeAndCount = async (pcm: Buffer) => {
      heard += 1;
      return heardAll(pcm);
    };
    const server = await startTestServer({ engines: scriptedEngines({ transcribe: transcribeAndCount }) });
    const person = await signUp(server);
    await useUp(server.dataDir, person, 9.9);
    const { id } = await read(await upload(person, buzzWav(7)), 202, Transcription);
    const failed = await settled(person, id);
    expect(failed).toMatchObject({ status: "failed", hasAudio: true, durationSeconds: 7, error: { code: "limitReached" } });
    expect(heard).toBe(0);
    expect(await usedBy(person)).toBe(9.9);
    expect(await refusal(await retry(person, id))).toBe("402 limitReached");
    expect((await getTranscription(person, id)).status).toBe("failed");
    await subscribe(server.dataDir, person, { status: "trialing" });
    expect(await read(await retry(person, id), 200, Transcription)).toMatchObject({ status: "processing", error: null });
    expect((await settled(person, id)).status).toBe("completed");
    expect(heard).toBeGreaterThan(0);
    expect(await usedBy(person)).toBeCloseTo(9.9 + 7 / 60, 9);
    expect((await usageOf(person)).limitMinutes).toBeNull();
  });

  test("resumes a file that failed at the limit in the next month and counts it there", async () => {
    const clock = testClock(march);
    const server = await startTestServer({ now: clock.now });
    const person = await signUp(server);
    await useUp(server.dataDir, person, 9.9, march);
    const { id, status } = await transcribe(person, 0.2);
    expect(status).toBe("failed");
    clock.advance(12 * day);
    const later = await signInAgain(server, person);
    await read(await retry(later, id), 200, Transcription);
    expect((await settled(later, id)).status).toBe("completed");
    expect(await usedBy(later)).toBe(0.2);
  });

  test("transcribes one of two files that would each fit the limit alone", async () => {
    const server = await startTestServer();
    const person = await signUp(server);
    await useUp(server.dataDir, person, 9.7);
    const both = await Promise.all([transcribe(person, 0.2), transcribe(person, 0.2)]);
    expect(both.map(({ status }) => status).toSorted()).toEqual(["completed", "failed"]);
    expect(await usedBy(person)).toBe(9.9);
  });

  // SPEC 6: "Everything above without the cap"
  test.each(["active", "trialing"])("sets no limit for a subscription that is %s", async (status) => {
    const server = await startTestServer();
    const person = await signUp(server);
    await subscribe(server.dataDir, person, { status });
    await useUp(server.dataDir, person, 9.9);
    expect((await transcribe(person, 0.2)).status).toBe("completed");
    expect((await transcribe(person, 0.4)).status).toBe("completed");
    expect(await usageOf(person)).toMatchObject({ usedTranslationMinutes: 10.5, limitMinutes: null });
  });

  test("sets no limit for superusers but limits users whose subscription has ended", async () => {
    let password = "";
    const print = (line: string) => {
      password = /password: (\S+)/.exec(line)?.[1] ?? password;
    };
    const server = await startTestServer({ print });
    const credentials = { email: "superuser@parlance.local", password };
    const { accessToken } = await read(await post(server, "/auth/login", credentials), 200, LoginAnswer);
    const superuser = asPerson(server, accessToken);
    await useUp(server.dataDir, superuser, 9.9);
    expect((await transcribe(superuser, 0.6)).status).toBe("completed");
    expect(await usageOf(superuser)).toMatchObject({ usedTranslationMinutes: 10.5, limitMinutes: null });
    const person = await signUp(server);
    await subscribe(server.dataDir, person, { status: "canceled" });
    await useUp(server.dataDir, person, 9.9);
    expect((await transcribe(person, 0.2)).error?.code).toBe("limitReached");
  });

  test("translates typed text even at the limit", async () => {
    const server = await startTestServer();
    const person = await signUp(server);
    await useUp(server.dataDir, person, 10);
    const typed = { text: "good day", source: "en", target: "es" };
    expect((await person.call("POST", "/api/v1/translations", typed)).status).toBe(200);
  });
});

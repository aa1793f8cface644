import { describe, expect, test } from "vitest";
import { Transcription } from "#contract/index.ts";
import { onPostgres } from "#tests/server/database.ts";
import { asPerson, eventually, getTranscription, read, settled, signUp, startTestServer, upload } from "#tests/server/harness.ts";
import { buzzWav, scriptedEngines, silentWav } from "./scripted.ts";

describe("transcription job", () => {
  test("a job fails after three attempts, and a retry continues where it stopped", async () => {
    let working = false;
    const heard: number[] = [];
    const transcribe = async (pcm: Buffer) => {
      heard.push(pcm.length);
      if (heard.length > 1 && !working) throw new Error("engine fell over");
      return [{ start: 0, end: 1, text: "fine", words: [] }];
    };
    let now = Date.parse("2026-03-01T12:00:00Z");
    const server = await startTestServer({ engines: scriptedEngines({ transcribe, parallel: 1 }), now: () => now });
    const person = await signUp(server);
    const { id } = await read(await upload(person, buzzWav(70)), 202, Transcription);
    const attempts = async (count: number) =>
      eventually(
        async () => heard.length,
        (calls) => calls === count,
      );
    await attempts(2);
    for (const calls of [3, 4]) {
      // The job waits before its next attempt.
      await eventually(
        () => getTranscription(person, id),
        ({ progress }) => progress?.stage === "waiting",
      );
      now += 30_000;
      await attempts(calls);
    }
    const failed = await settled(person, id);
    expect(failed).toMatchObject({ status: "failed", error: { code: "engineFailed", message: "The speech engine failed." } });
    expect(failed.segments.map(({ text }) => text)).toEqual(["fine"]);
    working = true;
    const again = await read(await person.call("PUT", `/audio/remove-transcription/${id}`, { retry: true }), 200, Transcription);
    expect(again).toMatchObject({ status: "processing", error: null });
    const made = await settled(person, id);
    expect(made.status).toBe("completed");
    // The piece that was finished in the first attempt is not recognized again.
    expect(heard.length).toBe(4 + made.segments.length - 1);
  });

  test("does not begin a job twice when the machine has slept past its lease", async () => {
    let now = 1_000_000;
    let begun = 0;
    const awake = Promise.withResolvers<void>();
    const transcribe = async () => {
      begun += 1;
      await awake.promise;
      return [];
    };
    const server = await startTestServer({ engines: scriptedEngines({ transcribe, parallel: 1 }), now: () => now });
    const person = await signUp(server);
    const { id } = await read(await upload(person, buzzWav(5)), 202, Transcription);
    await eventually(
      async () => begun,
      (count) => count === 1,
    );
    now += 60_000;
    // Another finished job proves that the worker has polled since.
    const other = await read(await upload(person, silentWav(1)), 202, Transcription);
    await settled(person, other.id);
    awake.resolve();
    expect((await settled(person, id)).status).toBe("completed");
    expect(begun).toBe(1);
  });

  test("deleting a transcription stops its job, and undoing the deletion restarts it", async () => {
    let [begun, stopped] = [0, 0];
    let held = true;
    const transcribe = (_pcm: Buffer, { signal }: { signal?: AbortSignal }) =>
      new Promise<[]>((resolve, reject) => {
        begun += 1;
        if (!held) return resolve([]);
        signal?.addEventListener("abort", () => {
          stopped += 1;
          reject(signal.reason);
        });
      });
    const person = await signUp(await startTestServer({ engines: scriptedEngines({ transcribe, parallel: 1 }) }));
    const { id } = await read(await upload(person, buzzWav(5)), 202, Transcription);
    await eventually(
      () => getTranscription(person, id),
      ({ progress }) => progress?.stage === "recognizing",
    );
    // The stage appears before the engine starts; a deletion in between would stop the job without the engine.
    await eventually(
      async () => begun,
      (count) => count === 1,
    );
    await person.call("DELETE", `/audio/remove-transcription/${id}`);
    await eventually(
      async () => stopped,
      (count) => count === 1,
    );
    held = false;
    await person.call("PUT", `/audio/remove-transcription/${id}`, { deletedAt: null });
    expect((await settled(person, id)).status).toBe("completed");
  });

  test("retries a job when the disk is full and fails with storageFull in the end", async () => {
    let tries = 0;
    let now = 1_000_000;
    const decode = async () => {
      tries += 1;
      throw Object.assign(new Error("no space left on device"), { code: "ENOSPC" });
    };
    const server = await startTestServer({ decode, now: () => now });
    const person = await signUp(server);
    const { id } = await read(await upload(person, buzzWav(1)), 202, Transcription);
    for (const done of [1, 2]) {
      await eventually(
        async () => ({ tries, stage: (await getTranscription(person, id)).progress?.stage }),
        (seen) => seen.tries === done && seen.stage === "waiting",
      );
      now += 30_000;
    }
    expect(await settled(person, id)).toMatchObject({ status: "failed", hasAudio: true, error: { code: "storageFull" } });
  });

  // With PostgreSQL the database's clock decides when a lease has expired: tests/grown/jobs/workers.test.ts.
  test.skipIf(onPostgres)("another worker takes over a job when the first one's lease has expired", async () => {
    const first = await startTestServer({ engines: scriptedEngines({ transcribe: () => new Promise(() => {}) }) });
    const person = await signUp(first);
    const { id } = await read(await upload(person, buzzWav(5)), 202, Transcription);
    await eventually(
      () => getTranscription(person, id),
      ({ progress }) => progress?.stage === "recognizing",
    );
    // A second server on the same data; its clock is twenty seconds ahead, past the first one's lease.
    const second = await startTestServer({ dataDir: first.dataDir, now: () => Date.now() + 20_000 });
    expect((await settled(asPerson(second, person.token), id)).status).toBe("completed");
  });

  test("shows a job's progress and the remaining time", async () => {
    let now = 1_000_000;
    const waiting: (() => void)[] = [];
    const transcribe = async () => {
      await new Promise<void>((resolve) => waiting.push(resolve));
      return [];
    };
    const person = await signUp(await startTestServer({ engines: scriptedEngines({ transcribe, parallel: 1 }), now: () => now }));
    const { id } = await read(await upload(person, buzzWav(120)), 202, Transcription);
    await eventually(
      async () => waiting.length,
      (count) => count === 1,
    );
    expect((await getTranscription(person, id)).progress).toMatchObject({ stage: "recognizing", secondsLeft: null });
    now += 10_000;
    waiting.shift()?.();
    const { progress } = await eventually(
      () => getTranscription(person, id),
      (row) => row.progress?.secondsLeft !== null,
    );
    // 20 to 30 of the 120 seconds took 10 s.
    expect(progress?.secondsLeft).toBeGreaterThanOrEqual(30);
    expect(progress?.secondsLeft).toBeLessThanOrEqual(50);
    expect(progress?.fraction).toBeGreaterThan(0.15);
    for (;;) {
      waiting.shift()?.();
      if ((await getTranscription(person, id)).status === "completed") break;
    }
  });
});

import { truncate } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { closeCodes, StorageUse, Transcription } from "#contract/index.ts";
import { createLocalBus } from "#server/bus/bus.ts";
import { createLocalClaims } from "#server/cluster/claims.ts";
import { rowBytes } from "#server/db/counted.ts";
import {
  createConcurrency,
  dictationConcurrency,
  eventStreamConcurrency,
  exportConcurrency,
  searchConcurrency,
  translationConcurrency,
} from "#server/http/concurrency.ts";
import { createLog } from "#server/log/log.ts";
import { Dictation } from "#tests/server/dictation/dictation.ts";
import {
  base,
  eventually,
  getTranscription,
  type Person,
  post,
  read,
  refusal,
  settled,
  signUp,
  startTestServer,
  upload,
  uploadForm,
} from "#tests/server/harness.ts";
import { scriptedTranslation, silentWav } from "#tests/server/jobs/scripted.ts";
import { subscribe } from "#tests/server/subscription/subscribed.ts";
import { save } from "#tests/server/transcription/saved.ts";
import { create, terminate } from "#tests/server/uploads/tus.ts";

// One user must not harm the others: limits on concurrent requests and on storage.

const mebibyte = 1024 * 1024;
const storageOf = async (person: Person) => read(await person.call("GET", "/api/v1/storage"), 200, StorageUse);

/** Opens an event stream and reads its beginning. @returns a function that ends the stream */
async function listen(person: Person): Promise<() => Promise<void>> {
  const answer = await person.call("GET", `${base}/events`);
  if (answer.status !== 200) throw new Error(await refusal(answer));
  const reader = answer.body?.getReader();
  await reader?.read();
  return async () => reader?.cancel();
}

describe("concurrency limits per user", () => {
  test("refuses a user's excess event streams with 429 while other users still get theirs", async () => {
    const server = await startTestServer();
    const person = await signUp(server);
    const open = await Promise.all(Array.from({ length: eventStreamConcurrency.atOnce }, () => listen(person)));
    expect(open.length).toBeGreaterThanOrEqual(5 * 2);
    const refused = await person.call("GET", `${base}/events`);
    expect(refused.headers.get("Retry-After")).toBe("5");
    expect(await refusal(refused)).toBe("429 tooManyAtOnce");
    await (await listen(await signUp(server)))();
    await open[0]?.();
    const again = await eventually(
      () =>
        listen(person).then(
          (end) => end,
          () => undefined,
        ),
      (end) => end !== undefined,
    );
    await again?.();
    // A HEAD request holds no slot.
    for (let i = 0; i < 3; i++) expect((await person.call("HEAD", `${base}/events`)).status).toBe(200);
    await (await listen(person))();
    for (const end of open) await end();
  });

  test("frees a user's dictation slot when the socket closes", async () => {
    const server = await startTestServer();
    const person = await signUp(server);
    const open = await Promise.all(
      Array.from({ length: dictationConcurrency.atOnce }, () => Dictation.start(server.apiUrl, person.token)),
    );
    const next = new Dictation(server.apiUrl);
    await next.open();
    next.say({ type: "start", token: person.token, recordingId: next.recordingId, sourceLanguage: "en" });
    expect((await next.next("error")).code).toBe("tooManyAtOnce");
    expect(await next.closed).toBe(closeCodes.tooFast);
    for (const live of open) await live.cut();
  });

  test("queues a user's translations, refuses the excess, and keeps serving other users", async () => {
    const hold = Promise.withResolvers<void>();
    let working = 0;
    let most = 0;
    const translate = async (texts: readonly string[]) => {
      if (texts[0] !== "mine") return texts.map(() => "other");
      working += 1;
      most = Math.max(most, working);
      await hold.promise;
      working -= 1;
      return texts.map(() => "done");
    };
    const server = await startTestServer({ translation: scriptedTranslation(translate) });
    const person = await signUp(server);
    const ask = (asking: Person, text: string) =>
      asking.call("POST", "/api/v1/translations", { text, source: "en", target: "es" });
    const all = translationConcurrency.atOnce + translationConcurrency.waiting;
    const answers = Array.from({ length: all + 5 }, () => ask(person, "mine"));
    const refused: string[] = [];
    await eventually(
      async () => {
        refused.length = 0;
        const settledOnes = await Promise.all(answers.map((answer) => Promise.race([answer, Promise.resolve(undefined)])));
        for (const answer of settledOnes) if (answer !== undefined) refused.push(String(answer.status));
        return refused.length;
      },
      (count) => count === 5,
    );
    expect(refused).toEqual(["429", "429", "429", "429", "429"]);
    expect((await ask(await signUp(server), "theirs")).status).toBe(200);
    hold.resolve();
    const statuses = (await Promise.all(answers)).map(({ status }) => status);
    expect([statuses.filter((status) => status === 200).length, most]).toEqual([all, translationConcurrency.atOnce]);
    expect((await ask(person, "mine")).status).toBe(200);
  });

  test("doesn't let an aborted waiter block the next one in the queue", async () => {
    const concurrency = createConcurrency({ claims: createLocalClaims(), bus: createLocalBus(createLog("silent", Date.now)) });
    const hold = Promise.withResolvers<void>();
    const { signal } = new AbortController();
    const first = Array.from({ length: exportConcurrency.atOnce }, () =>
      concurrency.run(exportConcurrency, "ann", signal, () => hold.promise),
    );
    const gone = new AbortController();
    const second = concurrency.run(exportConcurrency, "ann", gone.signal, async () => "second");
    const third = concurrency.run(exportConcurrency, "ann", signal, async () => "third");
    gone.abort(new Error("gone"));
    expect(await concurrency.run(exportConcurrency, "bob", signal, async () => "bob's")).toBe("bob's");
    hold.resolve();
    await expect(second).rejects.toThrow("gone");
    expect(await third).toBe("third");
    await Promise.all(first);
    const failing = concurrency.run(exportConcurrency, "ann", signal, () => Promise.reject(new Error("broken")));
    await expect(failing).rejects.toThrow("broken");
    const takes = await Promise.all(
      Array.from({ length: exportConcurrency.atOnce }, () => concurrency.take(exportConcurrency, "ann")),
    );
    await expect(concurrency.take(exportConcurrency, "ann")).rejects.toThrow("at the same time");
    takes[0]?.();
    takes[0]?.();
    await concurrency.take(exportConcurrency, "ann");
    await expect(concurrency.take(exportConcurrency, "ann")).rejects.toThrow("at the same time");
  });

  test("refuses searches through a user's texts when no search slot is free", async () => {
    const server = await startTestServer();
    const person = await signUp(server);
    const { atOnce, waiting } = searchConcurrency;
    onTestFinished(() => void Object.assign(searchConcurrency, { atOnce, waiting }));
    Object.assign(searchConcurrency, { atOnce: 0, waiting: 0 });
    for (const path of ["search?q=ship", "transcription-history?search=ship"]) {
      expect(await refusal(await person.call("GET", `${base}/${path}`))).toBe("429 tooManyAtOnce");
    }
    expect((await person.call("GET", `${base}/transcription-history`)).status).toBe(200);
  });

  test("refuses every export of transcripts when no export slot is free", async () => {
    const server = await startTestServer();
    const person = await signUp(server);
    const { id } = await save(person);
    const body = { ids: [id], formats: ["txt"], content: "original", lng: "en" };
    const { atOnce, waiting } = exportConcurrency;
    onTestFinished(() => void Object.assign(exportConcurrency, { atOnce, waiting }));
    Object.assign(exportConcurrency, { atOnce: 0, waiting: 0 });
    const asked = [
      await person.call("GET", `${base}/transcription/${id}/export?format=txt`),
      await person.call("GET", `${base}/transcription/${id}/subtitles?lng=en`),
      await person.call("POST", `${base}/archive`, body),
      await person.call("POST", "/users/me/export-access"),
      await person.call("GET", "/users/me/export"),
    ];
    expect(await Promise.all(asked.map(refusal))).toEqual(asked.map(() => "429 tooManyAtOnce"));
  });

  test("frees the slot of an account export when the response ends or is canceled", async () => {
    const server = await startTestServer();
    const person = await signUp(server);
    const { id } = await read(await upload(person, silentWav(1)), 202, Transcription);
    await settled(person, id);
    // More than the system buffers for a client that doesn't read: a sparse file.
    await truncate(join(server.dataDir, "audio", id, "original"), 32 * mebibyte);
    const download = (asking: Person, method = "GET") => asking.call(method, "/users/me/export");
    for (let i = 0; i <= exportConcurrency.atOnce; i++) expect((await download(person, "HEAD")).status).toBe(200);
    const isFree = ({ status }: Response) => status === 204;
    const access = () => person.call("POST", "/users/me/export-access");
    await eventually(access, isFree);
    const open = await Promise.all(Array.from({ length: exportConcurrency.atOnce }, () => download(person)));
    expect(open.map(({ status }) => status)).toEqual(open.map(() => 200));
    expect(await refusal(await access())).toBe("429 tooManyAtOnce");
    expect(await refusal(await download(person))).toBe("429 tooManyAtOnce");
    expect((await (await download(await signUp(server))).arrayBuffer()).byteLength).toBeGreaterThan(0);
    await open[0]?.body?.cancel();
    await eventually(access, isFree);
    for (const { body } of open.slice(1)) await body?.cancel();
  });

  test("refuses a user's 101st unfinished upload until one is terminated", async () => {
    const server = await startTestServer();
    const person = await signUp(server);
    const begun = await Promise.all(Array.from({ length: 100 }, () => create(person, { size: 1000 })));
    expect(new Set(begun.map(({ status }) => status))).toEqual(new Set([201]));
    expect(await refusal(await create(person, { size: 1000 }))).toBe("429 tooManyAtOnce");
    const location = begun[0]?.headers.get("Location") ?? "";
    expect((await terminate(person, location)).status).toBe(204);
    expect((await create(person, { size: 1000 })).status).toBe(201);
  });
});

describe("the storage quota", () => {
  const quota = { env: { STORAGE_QUOTA_FREE_MB: "4" } };
  const seconds = (mebibytes: number) => (mebibytes * mebibyte) / 32_000;

  test("counts audio, unfinished uploads and texts toward the storage quota", async () => {
    const server = await startTestServer(quota);
    const person = await signUp(server);
    expect(await storageOf(person)).toEqual({ usedBytes: 0, quotaBytes: 4 * mebibyte });
    const { id } = await read(await upload(person, silentWav(seconds(2))), 202, Transcription);
    await settled(person, id);
    const { usedBytes } = await storageOf(person);
    expect(usedBytes).toBeGreaterThanOrEqual(2 * mebibyte + 44);
    // With its text and its waveform: 50 bytes a second.
    expect(usedBytes).toBeLessThan(2 * mebibyte + 2_000 + 66 * 50);
    expect((await create(person, { size: mebibyte })).status).toBe(201);
    const begun = (await storageOf(person)).usedBytes - usedBytes;
    expect([begun >= mebibyte + rowBytes, begun < mebibyte + 1_000]).toEqual([true, true]);
    expect(await refusal(await upload(person, silentWav(seconds(1.5))))).toBe("402 quotaReached");
    expect(await refusal(await create(person, { size: 1.5 * mebibyte }))).toBe("402 quotaReached");
    await expect(save(person, { text: "x".repeat(1.5 * mebibyte) })).rejects.toThrow("quotaReached");
    expect((await save(person, { text: "short" })).text).toBe("short");
    expect((await getTranscription(person, id)).hasAudio).toBe(true);
  });

  test("accepts only one of several simultaneous uploads that would each fit the quota alone", async () => {
    const server = await startTestServer(quota);
    const person = await signUp(server);
    const unannounced = uploadForm(silentWav(seconds(2.5)));
    unannounced.delete("size");
    const answers = await Promise.all([
      upload(person, silentWav(seconds(2.5))),
      person.call("POST", `${base}/upload-and-transcribe`, unannounced),
      create(person, { size: 2.5 * mebibyte }),
    ]);
    expect(answers.filter(({ ok }) => ok)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 402)).toHaveLength(2);
  });

  test("sets no storage quota for subscribers but still counts their usage", async () => {
    const server = await startTestServer({ env: { STORAGE_QUOTA_FREE_MB: "1" } });
    const person = await signUp(server);
    expect(await refusal(await upload(person, silentWav(seconds(1.5))))).toBe("402 quotaReached");
    await subscribe(server.dataDir, person);
    const { id } = await read(await upload(person, silentWav(seconds(1.5))), 202, Transcription);
    await settled(person, id);
    const { usedBytes, quotaBytes } = await storageOf(person);
    expect([usedBytes > mebibyte, quotaBytes]).toEqual([true, null]);
  });

  test("refuses a new dictation when the quota is full but lets a running one finish", async () => {
    const server = await startTestServer({ env: { STORAGE_QUOTA_FREE_MB: "1" } });
    const person = await signUp(server);
    const live = await Dictation.start(server.apiUrl, person.token);
    live.sendFrames(0, 200);
    await live.acked(200);
    const next = new Dictation(server.apiUrl);
    await next.open();
    next.say({ type: "start", token: person.token, recordingId: next.recordingId, sourceLanguage: "en" });
    expect((await next.next("error")).code).toBe("quotaReached");
    live.say({ type: "end", frames: 200 });
    const { segments } = await live.next("done");
    expect(await save(person, { recordingId: live.recordingId, segments })).toMatchObject({ hasAudio: true });
  });

  test("requires a token for storage usage and gives free accounts a quota of 5 GB", async () => {
    const server = await startTestServer();
    expect((await fetch(`${server.apiUrl}/api/v1/storage`)).status).toBe(401);
    expect((await storageOf(await signUp(server))).quotaBytes).toBe(5 * 1024 * mebibyte);
    expect((await post(server, "/auth/logout", {})).ok).toBe(true);
  });
});

import { expect, onTestFinished, test } from "vitest";
import { BlogListAnswer, ErrorBody, ScheduledStatus, Transcription } from "#contract/index.ts";
import { administer, createTestDatabase } from "#tests/grown/harness-postgres.ts";
import { allWords, Dictation, textOf } from "#tests/server/dictation/dictation.ts";
import { base, eventually, type Person, read, settled, signUp, startTestServer, upload } from "#tests/server/harness.ts";
import { buzzWav } from "#tests/server/jobs/scripted.ts";
import { quickPen } from "#tests/server/scheduled-posting/harness.ts";
import { save } from "#tests/server/transcription/saved.ts";
import { append, begin, idOf, offsetOf } from "#tests/server/uploads/tus.ts";
import { startCuttingProxy } from "./cutting-proxy.ts";

// PostgreSQL executes a statement, but its answer is lost with the connection: the server can't know what was stored.

async function start(overrides: Parameters<typeof startTestServer>[0] = {}) {
  const { url, drop } = await createTestDatabase();
  onTestFinished(drop);
  const proxy = await startCuttingProxy(url);
  onTestFinished(() => proxy[Symbol.asyncDispose]());
  const server = await startTestServer({ env: { DATABASE_URL: proxy.url, LOG_LEVEL: "silent" }, ...overrides });
  return { proxy, server, url, person: await signUp(server) };
}

const storing = { last: "commit" };
const newTranscription = 'insert into "transcriptions"';

async function audioOf(person: Person, id: string): Promise<Buffer> {
  const answer = await person.call("GET", `${base}/transcription/${id}/audio`);
  expect(answer.status).toBe(200);
  return Buffer.from(await answer.arrayBuffer());
}

test("keeps a file whose row may be stored, and finds it when it is sent again", async () => {
  const { proxy, person } = await start();
  const wav = buzzWav(3);
  const fields = { clientId: crypto.randomUUID() };
  proxy.cut(newTranscription, storing);
  expect((await read(await upload(person, wav, { fields }), 503, ErrorBody)).message).toContain("can't reach its database");
  expect(proxy.cuts).toBe(1);
  const { id } = await read(await upload(person, wav, { fields }), 202, Transcription);
  expect(await settled(person, id)).toMatchObject({ status: "completed", error: null });
  expect((await audioOf(person, id)).equals(wav)).toBe(true);
});

test("reports that a resumable upload can't be stored, but keeps it", async () => {
  const { proxy, server, person } = await start();
  const wav = buzzWav(3);
  const path = await begin(person, { size: wav.length });
  proxy.cut(newTranscription, storing);
  const answer = await append(server, person, path, { offset: 0, body: wav });
  expect((await read(answer, 503, ErrorBody)).message).toContain("can't reach its database");
  expect(proxy.cuts).toBe(1);
  expect(await offsetOf(person, path)).toBe(wav.length);
  expect(await settled(person, idOf(path))).toMatchObject({ status: "completed", error: null });
  expect((await audioOf(person, idOf(path))).equals(wav)).toBe(true);
});

test("keeps the words and sound of a dictation", async () => {
  const { proxy, server, person } = await start();
  const live = await Dictation.start(server.apiUrl, person.token);
  proxy.cut('insert into "recording_segments"', storing);
  live.sendFrames(0, 30);
  // The code is not that of a failed engine.
  expect(await live.next("error")).toMatchObject({ code: "internal" });
  await live.closed;
  expect(proxy.cuts).toBe(1);

  const again = await Dictation.start(server.apiUrl, person.token, live.recordingId);
  again.sendFrames(again.messages.find((message) => message.type === "ready")?.ack ?? 0, 30);
  again.say({ type: "end", frames: 30 });
  const { segments } = await again.next("done");
  expect(textOf(segments)).toBe(allWords(6));

  const draft = { clientId: crypto.randomUUID(), recordingId: live.recordingId, segments };
  proxy.cut(newTranscription, storing);
  await expect(save(person, draft)).rejects.toThrow("expected 200, got 503");
  expect(proxy.cuts).toBe(2);
  const { id, text } = await save(person, draft);
  expect(text).toBe(allWords(6));
  expect((await audioOf(person, id)).length).toBe(44 + 30 * 6_400);
});

test("completes a job that loses answers repeatedly without counting them as failures", async () => {
  const { proxy, person } = await start({ workerTimes: { pollMs: 15, beatMs: 30, retryMs: [20] } });
  proxy.cut('update "pieces"', { times: 3 });
  const { id } = await read(await upload(person, buzzWav(70)), 202, Transcription);
  expect(await settled(person, id)).toMatchObject({ status: "completed", error: null, durationSeconds: 70 });
  expect(proxy.cuts).toBe(3);
});

test("writes a scheduled post again when it could not be stored, and publishes it once", async () => {
  const { proxy, person, url } = await start({ generator: quickPen(), postLeaseMs: 500 });
  await administer(url, `update users set is_superuser = 1 where email = '${person.email}'`);
  proxy.cut('insert into "blog_posts"');
  await read(await person.call("POST", "/admin/blog/trigger-scheduled"), 202, ScheduledStatus);
  const { history } = await eventually(
    async () => read(await person.call("GET", "/admin/blog/scheduled-status"), 200, ScheduledStatus),
    (status) => status.history[0]?.outcome !== "running",
  );
  expect(proxy.cuts).toBe(1);
  expect(history).toMatchObject([{ outcome: "posted", post: { title: "Post 2" } }]);
  expect((await read(await person.call("GET", "/blog?page=1"), 200, BlogListAnswer)).total).toBe(1);
});

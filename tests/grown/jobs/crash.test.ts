import { readdir, readFile, stat } from "node:fs/promises";
import { request } from "node:http";
import { join } from "node:path";
import { expect, test } from "vitest";
import { HistoryAnswer, Transcription, Usage } from "#contract/index.ts";
import { allWords, Dictation, textOf } from "#tests/server/dictation/dictation.ts";
import {
  asPerson,
  base,
  eventually,
  getTranscription,
  read,
  settled,
  signUp,
  temporaryFolder,
  upload,
} from "#tests/server/harness.ts";
import { buzzWav } from "#tests/server/jobs/scripted.ts";
import { begunPieces, startChild } from "#tests/server/jobs/spawned.ts";
import { append, begin, endless, idOf, offsetOf } from "#tests/server/uploads/tus.ts";

// Kills servers. Ordinary restarts: tests/server/jobs/jobs.test.ts; many in a row: ./interruptions.test.ts.

// PROMISE uploads: A killed server goes on from the last finished piece; no job fails
test("finishes a transcription after a kill, from the last finished piece", async () => {
  const dataDir = await temporaryFolder();
  const first = await startChild(dataDir, { stopAfter: "1" });
  const person = await signUp(first);
  const { id } = await read(await upload(person, buzzWav(70), { fields: { targetLanguage: "es" } }), 202, Transcription);
  await eventually(
    () => getTranscription(person, id),
    ({ segments }) => segments.length === 1,
  );
  await eventually(
    () => begunPieces(dataDir),
    (pieces) => pieces.length === 2,
  );
  await first.kill();

  const second = await startChild(dataDir);
  const made = await settled(asPerson(second, person.token), id);
  expect(made).toMatchObject({ status: "completed", durationSeconds: 70, error: null });
  expect(made.translatedText.split("es:")).toHaveLength(made.segments.length + 1);
  const pieces = await begunPieces(dataDir);
  // Only the piece that was being recognized when the server died was started twice.
  expect(pieces).toHaveLength(made.segments.length + 1);
  expect(pieces[2]).toBe(pieces[1]);
  expect(made.segments.length).toBeGreaterThan(2);
});

test("continues a dictation after a kill without lost or doubled words, and counts its minutes", async () => {
  const dataDir = await temporaryFolder();
  const first = await startChild(dataDir);
  const { token } = await signUp(first);
  const before = await Dictation.start(first.apiUrl, token);
  before.speak(0, 100);
  await before.acked(100);
  await before.next("final", ({ index }) => index === 4);
  await first.kill();
  await before.closed;

  const second = await startChild(dataDir);
  const person = asPerson(second, token);
  const used = async () => (await read(await person.call("GET", "/api/v1/usage"), 200, Usage)).usedTranslationMinutes * 60;
  // Besides the three seconds that were not counted yet: at the limit, a crash gives no extra time.
  expect(await used()).toBeGreaterThanOrEqual(17 - 0.001);
  const after = await Dictation.start(second.apiUrl, token, before.recordingId);
  expect(after.messages[0]).toMatchObject({ type: "ready", ack: 100 });
  after.speak(100, 101);
  await after.acked(101);
  expect(await used()).toBeGreaterThanOrEqual(20 - 0.001);
  after.speak(101, 110);
  after.say({ type: "end", frames: 110 });
  expect(textOf((await after.next("done")).segments)).toBe(allWords(22));
});

test("transcribes interrupted uploads once, resumed or repeated under the same id", async () => {
  const dataDir = await temporaryFolder();
  let server = await startChild(dataDir);
  let person = await signUp(server);
  const clientId = crypto.randomUUID();
  const boundary = "cut";
  const sending = request(`${server.apiUrl}${base}/upload-and-transcribe`, {
    method: "POST",
    headers: { Authorization: `Bearer ${person.token}`, "Content-Type": `multipart/form-data; boundary=${boundary}` },
  });
  sending.on("error", () => {});
  const part = (head: string, body: string) => `--${boundary}\r\nContent-Disposition: form-data; ${head}\r\n\r\n${body}`;
  sending.write(`${part('name="clientId"', clientId)}\r\n${part('name="sourceLanguage"', "en")}\r\n`);
  sending.write(part('name="file"; filename="a.wav"', ""));
  sending.write(buzzWav(5));
  await eventually(
    () => readdir(join(dataDir, "incoming")),
    (files) => files.length === 1,
  );

  const wav = buzzWav(10);
  const path = await begin(person, { size: wav.length });
  for (const cut of [200_000, 200_001]) {
    const offset = await offsetOf(person, path);
    const line = append(server, person, path, { offset, body: endless(wav.subarray(offset, cut)) });
    await eventually(
      async () => (await stat(join(dataDir, "uploads", idOf(path)))).size,
      (size) => size === cut,
    );
    await Promise.all([server.kill(), expect(line).rejects.toThrow()]);
    server = await startChild(dataDir);
    person = asPerson(server, person.token);
    expect(await offsetOf(person, path)).toBe(cut);
  }
  const { id } = await read(await upload(person, buzzWav(5), { fields: { clientId } }), 202, Transcription);
  expect((await settled(person, id)).status).toBe("completed");
  const offset = await offsetOf(person, path);
  const last = append(server, person, path, { offset, body: wav.subarray(offset) }).catch(() => {});
  // The last byte has arrived; the answer may or may not.
  await eventually(
    () => readdir(join(dataDir, "uploads")),
    (files) => files.length === 0,
  );
  await server.kill();
  await last;
  server = await startChild(dataDir);
  person = asPerson(server, person.token);
  expect(await offsetOf(person, path)).toBe(wav.length);
  expect((await settled(person, idOf(path))).status).toBe("completed");
  expect((await readFile(join(dataDir, "audio", idOf(path), "original"))).equals(wav)).toBe(true);
  expect((await read(await person.call("GET", `${base}/transcription-history`), 200, HistoryAnswer)).data).toHaveLength(2);
});

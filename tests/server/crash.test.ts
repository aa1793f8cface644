import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readdir, readFile, stat } from "node:fs/promises";
import { request } from "node:http";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { HistoryAnswer, Transcription } from "../../src/api/contract/index.ts";
import { allWords, Dictation, textOf } from "./dictation.ts";
import { asPerson, base, eventually, getTranscription, read, settled, signUp, temporaryFolder, upload } from "./harness.ts";
import { buzzWav } from "./scripted.ts";
import { append, begin, endless, idOf, offsetOf } from "./tus.ts";

interface Child {
  apiUrl: string;
  kill(): Promise<void>;
}

async function startChild(dataDir: string, stopAfter = ""): Promise<Child> {
  const script = fileURLToPath(new URL("child.ts", import.meta.url));
  const env = {
    PATH: process.env.PATH,
    PORT: "0",
    WEB_PORT: "0",
    PARLANCE_DATA: dataDir,
    HEARD: heardIn(dataDir),
    STOP_AFTER: stopAfter,
    LOG_LEVEL: "silent",
  };
  const child = spawn(process.execPath, [script], { env, stdio: ["ignore", "pipe", "inherit"] });
  onTestFinished(() => kill(child));
  const ended = once(child, "exit").then(() => Promise.reject(new Error("The server ended before it was ready.")));
  const [apiUrl] = await Promise.race([once(createInterface({ input: child.stdout }), "line"), ended]);
  ended.catch(() => {});
  return { apiUrl: String(apiUrl), kill: () => kill(child) };
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, "exit");
  child.kill("SIGKILL");
  await gone;
}

const heardIn = (dataDir: string) => join(dataDir, "heard.log");
const heard = async (dataDir: string) => (await readFile(heardIn(dataDir), "utf8")).trim().split("\n");

test("a killed server finishes the transcription when it is started again, from the last finished piece", async () => {
  const dataDir = await temporaryFolder();
  const first = await startChild(dataDir, "2");
  const person = await signUp(first);
  const { id } = await read(await upload(person, buzzWav(130), { fields: { targetLanguage: "es" } }), 202, Transcription);
  await eventually(
    () => getTranscription(person, id),
    ({ segments }) => segments.length === 2,
  );
  await eventually(
    () => heard(dataDir),
    (pieces) => pieces.length === 3,
  );
  await first.kill();

  const second = await startChild(dataDir);
  const made = await settled(asPerson(second, person.token), id);
  expect(made).toMatchObject({ status: "completed", durationSeconds: 130, error: null });
  expect(made.translatedText.split("es:")).toHaveLength(made.segments.length + 1);
  const pieces = await heard(dataDir);
  // Only the piece that was being heard when the server died was heard twice.
  expect(pieces).toHaveLength(made.segments.length + 1);
  expect(pieces[3]).toBe(pieces[2]);
});

test("a transcription that kills the server again and again fails with a reason", async () => {
  const dataDir = await temporaryFolder();
  let child = await startChild(dataDir, "0");
  const person = await signUp(child);
  const { id } = await read(await upload(person, buzzWav(5)), 202, Transcription);
  for (let death = 1; death <= 3; death++) {
    await eventually(
      () => heard(dataDir).catch(() => []),
      (pieces) => pieces.length === death,
    );
    await child.kill();
    child = await startChild(dataDir, "0");
  }
  expect(await settled(asPerson(child, person.token), id)).toMatchObject({ status: "failed", error: { code: "internal" } });
});

test("a dictation goes on after the server was killed, without losing or doubling a word", async () => {
  const dataDir = await temporaryFolder();
  const first = await startChild(dataDir);
  const { token } = await signUp(first);
  const before = await Dictation.start(first.apiUrl, token);
  before.sendFrames(0, 48);
  await before.acked(48);
  await before.next("final", ({ index }) => index === 1);
  await first.kill();
  await before.closed;

  const second = await startChild(dataDir);
  const after = await Dictation.start(second.apiUrl, token, before.recordingId);
  expect(after.messages[0]).toMatchObject({ type: "ready", ack: 48 });
  after.sendFrames(48, 70);
  after.say({ type: "end", frames: 70 });
  expect(textOf((await after.next("done")).segments)).toBe(allWords(14));
});

test("an upload that the server's death has cut off is made again under the same id", async () => {
  const dataDir = await temporaryFolder();
  const first = await startChild(dataDir);
  const person = await signUp(first);
  const clientId = crypto.randomUUID();
  const boundary = "cut";
  const sending = request(`${first.apiUrl}${base}/upload-and-transcribe`, {
    method: "POST",
    headers: { Authorization: `Bearer ${person.token}`, "Content-Type": `multipart/form-data; boundary=${boundary}` },
  });
  sending.on("error", () => {});
  const part = (head: string, body: string) => `--${boundary}\r\nContent-Disposition: form-data; ${head}\r\n\r\n${body}`;
  sending.write(`${part('name="clientId"', clientId)}\r\n${part('name="sourceLanguage"', "en")}\r\n`);
  sending.write(part('name="file"; filename="a.wav"', ""));
  sending.write(buzzWav(10));
  await eventually(
    () => readdir(join(dataDir, "incoming")),
    (files) => files.length === 1,
  );
  await first.kill();

  const second = await startChild(dataDir);
  const again = asPerson(second, person.token);
  const { id } = await read(await upload(again, buzzWav(10), { fields: { clientId } }), 202, Transcription);
  expect((await settled(again, id)).status).toBe("completed");
  expect((await read(await again.call("GET", `${base}/transcription-history`), 200, HistoryAnswer)).data).toHaveLength(1);
});

test("a server that is killed again and again while a file comes goes on where it was, and makes it once", async () => {
  const dataDir = await temporaryFolder();
  let server = await startChild(dataDir);
  let person = await signUp(server);
  const wav = buzzWav(60);
  const path = await begin(person, { size: wav.length });
  const cuts = [10_000, 700_000, 700_001, 1_500_000];
  for (const cut of cuts) {
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
  const offset = await offsetOf(person, path);
  const last = append(server, person, path, { offset, body: wav.subarray(offset) }).catch(() => {});
  // The last byte is there; whether the answer still comes is another matter.
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
  expect(await readFile(join(dataDir, "audio", idOf(path), "original"))).toEqual(wav);
});

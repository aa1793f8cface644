import { readdir, readFile } from "node:fs/promises";
import { request } from "node:http";
import { join } from "node:path";
import { Writable } from "node:stream";
import { describe, expect, test } from "vitest";
import { Transcription } from "#contract/index.ts";
import { base, eventually, read, refusal, settled, signUp, startTestServer, upload, uploadForm } from "#tests/server/harness.ts";
import { buzzWav, scriptedTranslation, silentWav } from "#tests/server/jobs/scripted.ts";
import { history } from "#tests/server/transcription/saved.ts";
import { create, newFields } from "./tus.ts";

const bytesOf = (text: string) => new TextEncoder().encode(text);
const leftOvers = async (dataDir: string) => [
  ...(await readdir(join(dataDir, "audio"))),
  ...(await readdir(join(dataDir, "incoming"))),
  ...(await readdir(join(dataDir, "jobs"))),
];

describe("POST /upload-and-transcribe", () => {
  // SPEC 7 Transcriptions: "An upload-and-transcribe endpoint"
  test("transcribes an upload with times and keeps its original audio", async () => {
    const server = await startTestServer();
    const person = await signUp(server);
    const wav = buzzWav(70);
    const accepted = await read(await upload(person, wav, { name: "Ein Gespräch.wav" }), 202, Transcription);
    expect(accepted).toMatchObject({
      title: "Ein Gespräch",
      fileName: "Ein Gespräch.wav",
      status: "processing",
      origin: "upload",
      hasAudio: true,
    });
    const made = await settled(person, accepted.id);
    expect(made).toMatchObject({ status: "completed", durationSeconds: 70, engine: "moonshine-tiny-en", error: null });
    expect(made.progress).toEqual({ stage: "finished", fraction: 1, secondsLeft: 0 });
    expect(made.segments.length).toBeGreaterThan(1);
    expect(made.segments.at(-1)?.end).toBeCloseTo(70, 2);
    for (const [i, { start }] of made.segments.entries()) expect(start).toBeCloseTo(made.segments[i - 1]?.end ?? 0, 2);
    expect((await readFile(join(server.dataDir, "audio", made.id, "original"))).equals(wav)).toBe(true);
    expect(await readdir(join(server.dataDir, "jobs"))).toEqual([]);
  });

  test("translates an upload into the target language", async () => {
    const person = await signUp(await startTestServer());
    const { id } = await read(await upload(person, buzzWav(5), { fields: { targetLanguage: "es" } }), 202, Transcription);
    const made = await settled(person, id);
    expect(made.translatedText).toBe(`es:${made.text}`);
    expect(made.segments[0]?.translation).toBe(`es:${made.segments[0]?.text}`);
  });

  test("reserves storage for an upload once, however often it is tried at the same time", async () => {
    const server = await startTestServer({ env: { STORAGE_QUOTA_FREE_MB: "1" } });
    const wav = buzzWav(26);
    const [inOne, resumable] = [await signUp(server), await signUp(server)];
    const tries = Array.from({ length: 20 });
    const fields = { clientId: crypto.randomUUID(), size: String(wav.length) };
    const answers = await Promise.all(tries.map(() => upload(inOne, wav, { fields })));
    expect(answers.map(({ status }) => status)).toEqual(tries.map(() => 202));
    expect((await history(inOne)).data).toHaveLength(1);
    const creation = { size: wav.length, fields: newFields() };
    const begun = await Promise.all(tries.map(() => create(resumable, creation)));
    expect(begun.map(({ status }) => status)).toEqual(tries.map(() => 201));
    expect(new Set(begun.map(({ headers }) => headers.get("Location"))).size).toBe(1);
    expect((await create(resumable, { size: wav.length })).status).toBe(402);
  });

  test("stores an upload once under the same client id", async () => {
    const server = await startTestServer();
    const person = await signUp(server);
    const fields = { clientId: crypto.randomUUID() };
    const both = await Promise.all([upload(person, buzzWav(3), { fields }), upload(person, buzzWav(3), { fields })]);
    const ids = new Set(
      [...both, await upload(person, buzzWav(3), { fields })].map(async (answer) => (await read(answer, 202, Transcription)).id),
    );
    const [first, ...others] = await Promise.all(ids);
    expect(others.every((id) => id === first)).toBe(true);
    expect((await history(person)).data).toHaveLength(1);
    expect(await readdir(join(server.dataDir, "audio"))).toEqual([first]);
  });

  test("completes an upload of silence and reports that it contains no speech", async () => {
    const person = await signUp(await startTestServer());
    const { id } = await read(await upload(person, silentWav(4)), 202, Transcription);
    const made = await settled(person, id);
    expect(made).toMatchObject({ status: "completed", text: "", segments: [], error: { code: "noSpeech" } });
  });

  test("keeps an upload's text when its translation fails, and reports the failure", async () => {
    const translation = scriptedTranslation(async () => {
      throw new Error("down");
    });
    const server = await startTestServer({ translation });
    const person = await signUp(server);
    const { id } = await read(await upload(person, buzzWav(3), { fields: { targetLanguage: "es" } }), 202, Transcription);
    expect(await settled(person, id)).toMatchObject({
      status: "completed",
      text: "piece 3",
      translatedText: "",
      error: { code: "translationFailed" },
    });
  });
});

describe("invalid uploads", () => {
  test.each([
    ["not audio", bytesOf("<html>no sound at all</html>".repeat(200)), "notAudio"],
    ["a header alone", silentWav(0), "emptyFile"],
  ])("fails an upload with its own reason: %s", async (_, bytes, code) => {
    const person = await signUp(await startTestServer());
    const { id } = await read(await upload(person, bytes), 202, Transcription);
    expect(await settled(person, id)).toMatchObject({ status: "failed", error: { code } });
  });

  test("refuses an empty file without storing anything", async () => {
    const server = await startTestServer();
    const person = await signUp(server);
    expect(await refusal(await upload(person, new Uint8Array()))).toBe("422 emptyFile");
    expect([(await history(person)).data, await leftOvers(server.dataDir)]).toEqual([[], []]);
  });

  test("refuses a file over the limit without storing anything", async () => {
    const server = await startTestServer({ env: { MAX_UPLOAD_MB: "1" } });
    const person = await signUp(server);
    expect(await refusal(await upload(person, silentWav(33)))).toBe("413 tooLarge");
    // Without a length in the header, the server notices while it receives.
    expect(await refusal(await upload(person, new Uint8Array(1024 * 1024 + 1), { fields: { size: "1" } }))).toBe("413 tooLarge");
    expect([(await history(person)).data, await leftOvers(server.dataDir)]).toEqual([[], []]);
  });

  test("reports an interrupted upload when fewer bytes arrive than announced", async () => {
    const server = await startTestServer();
    const person = await signUp(server);
    expect(await refusal(await upload(person, buzzWav(1), { fields: { size: "999999" } }))).toBe("422 interrupted");
    expect([(await history(person)).data, await leftOvers(server.dataDir)]).toEqual([[], []]);
  });

  test.each([
    ["a language that no engine hears", { sourceLanguage: "fi-FI" }, "422 languageUnavailable"],
    ["a language that does not exist", { sourceLanguage: "xx" }, "400 badRequest"],
    ["a translation that is not set up", { targetLanguage: "de" }, "422 translationUnavailable"],
    ["a client id that is none", { clientId: "1" }, "400 badRequest"],
  ])("refuses an upload with %s", async (_, fields, expected) => {
    const server = await startTestServer();
    const person = await signUp(server);
    expect(await refusal(await upload(person, buzzWav(1), { fields }))).toBe(expected);
    expect([(await history(person)).data, await leftOvers(server.dataDir)]).toEqual([[], []]);
  });

  test("refuses a form without a file and a body that is no form", async () => {
    const person = await signUp(await startTestServer());
    const form = uploadForm(buzzWav(1));
    form.delete("file");
    expect(await refusal(await person.call("POST", `${base}/upload-and-transcribe`, form))).toBe("400 badRequest");
    expect(await refusal(await person.call("POST", `${base}/upload-and-transcribe`, {}))).toBe("415 badRequest");
  });

  test("treats a hostile file name as a title only", async () => {
    const server = await startTestServer();
    const person = await signUp(server);
    const name = "../../-i\u0000\u202e;$(touch pwned) <b>\"'.wav";
    const { id } = await read(await upload(person, buzzWav(2), { name }), 202, Transcription);
    const made = await settled(person, id);
    expect(made.status).toBe("completed");
    expect(made.title).not.toMatch(/[\p{C}/\\]/u);
    const exported = await person.call("GET", `${base}/transcription/${id}/export?format=srt`);
    expect(exported.headers.get("Content-Disposition")).toMatch(
      /^attachment; filename="[\x20-\x7e]+\.srt"; filename\*=UTF-8''[\w%.!~-]+\.srt$/,
    );
    expect(await readdir(join(server.dataDir, "audio"))).toEqual([id]);
  });

  test("leaves nothing behind when the sender disconnects", async () => {
    const server = await startTestServer();
    const person = await signUp(server);
    const boundary = "cut";
    const sending = request(`${server.apiUrl}${base}/upload-and-transcribe`, {
      method: "POST",
      headers: {
        Authorization: `Bearer ${person.token}`,
        "Content-Type": `multipart/form-data; boundary=${boundary}`,
        "Content-Length": 5_000_000,
      },
    });
    sending.on("error", () => {});
    const field = (name: string, value: string) =>
      `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
    sending.write(field("clientId", crypto.randomUUID()) + field("sourceLanguage", "en"));
    sending.write(
      `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="a.wav"\r\nContent-Type: audio/wav\r\n\r\n`,
    );
    sending.write(buzzWav(10));
    await eventually(
      () => readdir(join(server.dataDir, "incoming")),
      (files) => files.length === 1,
    );
    sending.destroy();
    await eventually(
      () => leftOvers(server.dataDir),
      (files) => files.length === 0,
    );
    expect((await history(person)).data).toEqual([]);
  });

  test("reports a full disk and leaves nothing behind", async () => {
    const server = await startTestServer({
      storage: (real) => ({
        ...real,
        receive: (id) => {
          const incoming = real.receive(id);
          incoming.stream.destroy();
          const full = Object.assign(new Error("no space left on device"), { code: "ENOSPC" });
          return { ...incoming, stream: new Writable({ write: (_chunk, _encoding, done) => done(full) }) };
        },
      }),
    });
    const person = await signUp(server);
    expect(await refusal(await upload(person, buzzWav(5)))).toBe("507 storageFull");
    expect([(await history(person)).data, await leftOvers(server.dataDir)]).toEqual([[], []]);
  });
});

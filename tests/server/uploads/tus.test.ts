import { mkdir, readdir, readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { base, eventually, refusal, settled, signUp, startTestServer, upload } from "#tests/server/harness.ts";
import { buzzWav, spokenWav } from "#tests/server/jobs/scripted.ts";
import { useUp } from "#tests/server/subscription/used-up.ts";
import { history } from "#tests/server/transcription/saved.ts";
import { append, ask, begin, create, createWith, endless, idOf, newFields, offsetOf, terminate, uploads } from "./tus.ts";

const dayMs = 24 * 60 * 60 * 1000;
const inParts = async (dataDir: string) => readdir(join(dataDir, "uploads"));

describe("resumable uploads", () => {
  test("turns a resumable upload into a transcription of the same id when its last byte arrives", async () => {
    const server = await startTestServer();
    const person = await signUp(server);
    const wav = buzzWav(20);
    const fields = {
      ...newFields(),
      filename: "C:\\talks\\Ein Gespräch.wav",
      targetLanguage: "es",
      speakers: "1",
      vocabulary: "Ada",
    };
    const path = await begin(person, { size: wav.length, fields });
    expect(path).toMatch(/^\/api\/v1\/uploads\/[\da-f-]{36}$/);
    const middle = Math.floor(wav.length / 2);
    const first = await append(server, person, path, { offset: 0, body: wav.subarray(0, middle) });
    expect([first.status, first.headers.get("Upload-Offset")]).toEqual([204, String(middle)]);
    expect(first.headers.get("Upload-Expires")).not.toBeNull();
    expect((await history(person)).data).toEqual([]);
    const last = await append(server, person, path, { offset: middle, body: wav.subarray(middle) });
    expect([last.status, last.headers.get("Upload-Offset")]).toEqual([204, String(wav.length)]);

    const made = await settled(person, idOf(path));
    expect(made).toMatchObject({ title: "Ein Gespräch", fileName: "Ein Gespräch.wav", status: "completed", origin: "upload" });
    expect(made.translatedText).toBe(`es:${made.text}`);
    expect((await readFile(join(server.dataDir, "audio", made.id, "original"))).equals(wav)).toBe(true);
    expect(await inParts(server.dataDir)).toEqual([]);
  });

  test.each([1, 100_001])("resumes an upload that was cut at %i bytes", async (cut) => {
    const server = await startTestServer();
    const person = await signUp(server);
    const wav = buzzWav(10);
    const path = await begin(person, { size: wav.length });
    const line = new AbortController();
    const sending = append(server, person, path, { offset: 0, body: endless(wav.subarray(0, cut)), signal: line.signal });
    await eventually(
      async () => (await readFile(join(server.dataDir, "uploads", idOf(path)))).length,
      (size) => size === cut,
    );
    line.abort();
    await expect(sending).rejects.toThrow();
    const offset = await offsetOf(person, path);
    expect(offset).toBe(cut);
    expect((await append(server, person, path, { offset, body: wav.subarray(offset) })).status).toBe(204);
    expect((await settled(person, idOf(path))).status).toBe("completed");
    expect((await readFile(join(server.dataDir, "audio", idOf(path), "original"))).equals(wav)).toBe(true);
  });

  test("resumes over a new connection while the old one still hangs", async () => {
    const server = await startTestServer();
    const person = await signUp(server);
    const wav = buzzWav(5);
    const path = await begin(person, { size: wav.length });
    const line = new AbortController();
    const dead = append(server, person, path, { offset: 0, body: endless(wav.subarray(0, 5000)), signal: line.signal });
    dead.catch(() => {});
    await eventually(
      async () => (await readFile(join(server.dataDir, "uploads", idOf(path)))).length,
      (size) => size === 5000,
    );
    expect(await offsetOf(person, path)).toBe(5000);
    expect((await append(server, person, path, { offset: 5000, body: wav.subarray(5000) })).status).toBe(204);
    line.abort();
    expect((await settled(person, idOf(path))).status).toBe("completed");
  });

  test("creates one transcription however often creation and last part are repeated", async () => {
    const server = await startTestServer();
    const person = await signUp(server);
    const wav = buzzWav(3);
    const fields = newFields();
    const paths = await Promise.all([1, 2, 3].map(() => begin(person, { size: wav.length, fields })));
    const [path = ""] = paths;
    expect(new Set(paths).size).toBe(1);
    await append(server, person, path, { offset: 0, body: wav.subarray(0, 1000) });
    // The page has lost the answer to the creation: the received bytes stay.
    expect(await begin(person, { size: wav.length, fields })).toBe(path);
    expect(await offsetOf(person, path)).toBe(1000);
    await append(server, person, path, { offset: 1000, body: wav.subarray(1000) });

    expect(await offsetOf(person, path)).toBe(wav.length);
    expect(await begin(person, { size: wav.length, fields })).toBe(path);
    expect(await refusal(await append(server, person, path, { offset: 1000, body: wav.subarray(1000) }))).toBe("409 conflict");
    const made = await settled(person, idOf(path));
    expect(await upload(person, wav, { fields: { clientId: fields.clientId } }).then((answer) => answer.json())).toMatchObject({
      id: made.id,
    });
    expect((await history(person)).data).toHaveLength(1);
    expect(await readdir(join(server.dataDir, "audio"))).toEqual([made.id]);
  });

  test("uses the transcription when the same file arrived in one request meanwhile", async () => {
    const server = await startTestServer();
    const person = await signUp(server);
    const wav = buzzWav(3);
    const fields = newFields();
    const path = await begin(person, { size: wav.length, fields });
    const { clientId } = fields;
    const { id } = await (await upload(person, wav, { fields: { clientId } })).json();
    expect(await refusal(await append(server, person, path, { offset: 0, body: wav }))).toBe("404 notFound");
    expect(await begin(person, { size: wav.length, fields })).toBe(`${uploads}/${id}`);
    await settled(person, id);
    expect(await readdir(join(server.dataDir, "audio"))).toEqual([id]);
    expect(await inParts(server.dataDir)).toEqual([]);
  });
});

describe("uploads near the quota", () => {
  const near = async () => {
    const server = await startTestServer({ env: { STORAGE_QUOTA_FREE_MB: "1" } });
    return { server, person: await signUp(server), wav: buzzWav(22), fields: newFields() };
  };
  const twenty = Array.from({ length: 20 }, (_, index) => index);

  test("stores a file once that is sent twenty times at the same time", async () => {
    const { server, person, wav, fields } = await near();
    const path = await begin(person, { size: wav.length, fields });
    await append(server, person, path, { offset: 0, body: wav.subarray(0, 1000) });
    const { clientId } = fields;
    const answers = await Promise.all(twenty.map(() => upload(person, wav, { fields: { clientId } })));
    expect(answers.map(({ status }) => status)).toEqual(twenty.map(() => 202));
    expect((await history(person)).data).toHaveLength(1);
  });

  test("stores an upload once when twenty requests create it, and keeps bytes from before a cut", async () => {
    const { server, person, wav, fields } = await near();
    const size = wav.length;
    const line = new AbortController();
    const body = endless(wav.subarray(0, 5000));
    const cut = createWith(server, person, { size, fields, body, signal: line.signal });
    await eventually(
      async () =>
        (await Promise.all((await inParts(server.dataDir)).map((id) => readFile(join(server.dataDir, "uploads", id))))).at(0),
      (part) => part?.length === 5000,
    );
    line.abort();
    await expect(cut).rejects.toThrow();
    expect(await offsetOf(person, await begin(person, { size, fields }))).toBe(5000);

    const other = await near();
    const whole = { size, fields: other.fields, body: wav };
    const answers = await Promise.all(twenty.map(() => createWith(other.server, other.person, whole)));
    const [path = ""] = answers.map(({ headers }) => headers.get("Location") ?? "");
    expect(answers.map(({ status, headers }) => [status, headers.get("Location")])).toEqual(twenty.map(() => [201, path]));
    // The last request may have aborted the others, whose bytes stay.
    const offset = await offsetOf(other.person, path);
    expect(offset).toBe(Math.max(...answers.map(({ headers }) => Number(headers.get("Upload-Offset")))));
    if (offset < size) await append(other.server, other.person, path, { offset, body: wav.subarray(offset) });
    await settled(other.person, idOf(path));
    expect(await readFile(join(other.server.dataDir, "audio", idOf(path), "original"))).toEqual(wav);
    expect(await inParts(other.server.dataDir)).toEqual([]);
    expect((await history(other.person)).data).toHaveLength(1);
  });
});

describe("refusals before the first byte", () => {
  test.each([
    ["a language that no engine hears", { sourceLanguage: "fi-FI" }, 1000, "422 languageUnavailable"],
    ["a translation that is not set up", { targetLanguage: "de" }, 1000, "422 translationUnavailable"],
    ["a client id that is none", { clientId: "../1" }, 1000, "400 badRequest"],
    ["more hints than are taken", { vocabulary: "x".repeat(2001) }, 1000, "400 badRequest"],
    ["speakers that are neither to be distinguished nor not", { speakers: "yes" }, 1000, "400 badRequest"],
    ["an empty file", {}, 0, "422 emptyFile"],
    ["a size that is none", {}, "many", "400 badRequest"],
    ["a file over the limit", {}, 1024 * 1024 + 1, "413 tooLarge"],
  ])("refuses to create an upload with %s", async (_, fields, size, expected) => {
    const server = await startTestServer({ env: { MAX_UPLOAD_MB: "1" } });
    const person = await signUp(server);
    expect(await refusal(await create(person, { size, fields: { ...newFields(), ...fields } }))).toBe(expected);
    expect(await inParts(server.dataDir)).toEqual([]);
  });

  test("refuses requests that don't follow the tus protocol", async () => {
    const server = await startTestServer();
    const person = await signUp(server);
    const of = (headers: Record<string, string>) => create(person, { size: 1000, headers }).then(refusal);
    expect(await of({ "Tus-Resumable": "0.2.2" })).toBe("400 badRequest");
    expect(await of({ "Upload-Metadata": "clientId ***" })).toBe("400 badRequest");
    expect(await of({ "Upload-Metadata": "" })).toBe("400 badRequest");
    expect(await inParts(server.dataDir)).toEqual([]);
  });

  test("refuses to create an upload without a sign-in", async () => {
    const server = await startTestServer();
    const nobody = { ...(await signUp(server)), call: (method: string, path: string) => fetch(server.apiUrl + path, { method }) };
    expect(await refusal(await create(nobody, { size: 1000 }))).toBe("401 unauthorized");
  });

  test("refuses new uploads at the limit of minutes but continues those begun before", async () => {
    const server = await startTestServer();
    const person = await signUp(server);
    const wav = buzzWav(5);
    const begun = await begin(person, { size: wav.length });
    await useUp(server.dataDir, person, 9.9);
    const rest = spokenWav(6);
    const path = await begin(person, { size: rest.length });
    await append(server, person, path, { offset: 0, body: rest });
    await settled(person, idOf(path));
    expect(await refusal(await create(person, { size: wav.length }))).toBe("402 limitReached");
    expect((await append(server, person, begun, { offset: 0, body: wav })).status).toBe(204);
  });
});

describe("PATCH of a part", () => {
  test.each([0, 999, 1001, 5000])("refuses a part at the wrong offset %i and changes nothing", async (offset) => {
    const server = await startTestServer();
    const person = await signUp(server);
    const wav = buzzWav(1);
    const path = await begin(person, { size: wav.length });
    await append(server, person, path, { offset: 0, body: wav.subarray(0, 1000) });
    expect(await refusal(await append(server, person, path, { offset, body: wav.subarray(0, 10) }))).toBe("409 conflict");
    expect(await offsetOf(person, path)).toBe(1000);
  });

  test("refuses a part beyond the announced size and changes nothing", async () => {
    const server = await startTestServer();
    const person = await signUp(server);
    const path = await begin(person, { size: 100 });
    expect(await refusal(await append(server, person, path, { offset: 0, body: new Uint8Array(101) }))).toBe("413 tooLarge");
    expect(await offsetOf(person, path)).toBe(0);
  });

  test("refuses another file under the same client id", async () => {
    const server = await startTestServer();
    const person = await signUp(server);
    const fields = newFields();
    await begin(person, { size: 100, fields });
    expect(await refusal(await create(person, { size: 101, fields }))).toBe("409 conflict");
  });
});

test("hides a user's upload from other users", async () => {
  const server = await startTestServer();
  const [ann, bob] = [await signUp(server), await signUp(server)];
  const wav = buzzWav(1);
  const fields = newFields();
  const path = await begin(ann, { size: wav.length, fields });
  expect((await ask(bob, path)).status).toBe(404);
  expect(await refusal(await append(server, bob, path, { offset: 0, body: wav }))).toBe("404 notFound");
  expect(await refusal(await terminate(bob, path))).toBe("404 notFound");
  expect(await refusal(await ann.call("GET", path, undefined, { "Tus-Resumable": "1.0.0" }))).toBe("404 notFound");
  // The same client id means another file for another user.
  expect(await begin(bob, { size: wav.length, fields })).not.toBe(path);
  expect(await offsetOf(ann, path)).toBe(0);
});

test("deletes a terminated upload and refuses to terminate a finished one", async () => {
  const server = await startTestServer();
  const person = await signUp(server);
  const wav = buzzWav(1);
  const given = await begin(person, { size: wav.length });
  expect((await terminate(person, given)).status).toBe(204);
  expect((await ask(person, given)).status).toBe(404);
  expect(await inParts(server.dataDir)).toEqual([]);
  const path = await begin(person, { size: wav.length });
  await append(server, person, path, { offset: 0, body: wav });
  expect(await refusal(await terminate(person, path))).toBe("409 conflict");
  expect((await settled(person, idOf(path))).status).toBe("completed");
});

// PROMISE uploads: An upload goes on where it stopped, for seven days
test("deletes an unfinished upload after seven days", async () => {
  let later = 0;
  const server = await startTestServer({ now: () => Date.now() + later });
  const person = await signUp(server);
  const path = await begin(person, { size: 1000 });
  await server.sweep();
  expect(await inParts(server.dataDir)).toEqual([idOf(path)]);
  later = 7 * dayMs + 1000;
  await server.sweep();
  expect(await inParts(server.dataDir)).toEqual([]);
});

describe("a server killed after the last byte", () => {
  test.each([
    ["before it moved the file", async () => {}],
    [
      "after it moved the file",
      async (dataDir: string, id: string) => {
        await mkdir(join(dataDir, "audio", id));
        await rename(join(dataDir, "uploads", id), join(dataDir, "audio", id, "original"));
      },
    ],
  ])("finishes the upload at the next start when the server was killed %s", async (_, happened) => {
    // The storage refuses the last step, which leaves the same state as a kill.
    const failing = await startTestServer({
      storage: (real) => ({ ...real, keepUpload: () => Promise.reject(new Error("killed")) }),
    });
    const person = await signUp(failing);
    const wav = buzzWav(2);
    const path = await begin(person, { size: wav.length });
    expect(await refusal(await append(failing, person, path, { offset: 0, body: wav }))).toBe("500 internal");
    await failing.close();
    await happened(failing.dataDir, idOf(path));

    const server = await startTestServer({ dataDir: failing.dataDir });
    const again = { ...person, call: personCall(server.apiUrl, person.token) };
    expect(await offsetOf(again, path)).toBe(wav.length);
    expect((await settled(again, idOf(path))).status).toBe("completed");
    expect((await history(again)).data).toHaveLength(1);
  });

  test("finishes the upload when its sender asks for the offset", async () => {
    let broken = true;
    const server = await startTestServer({
      storage: (real) => ({
        ...real,
        keepUpload: (id) => (broken ? Promise.reject(new Error("not now")) : real.keepUpload(id)),
      }),
    });
    const person = await signUp(server);
    const wav = buzzWav(2);
    const path = await begin(person, { size: wav.length });
    expect(await refusal(await append(server, person, path, { offset: 0, body: wav }))).toBe("500 internal");
    broken = false;
    expect(await offsetOf(person, path)).toBe(wav.length);
    expect((await settled(person, idOf(path))).status).toBe("completed");
  });
});

test("restarts an upload under the same client id when its bytes are lost", async () => {
  const server = await startTestServer();
  const person = await signUp(server);
  const wav = buzzWav(1);
  const fields = newFields();
  const path = await begin(person, { size: wav.length, fields });
  await append(server, person, path, { offset: 0, body: wav.subarray(0, 100) });
  await rm(join(server.dataDir, "uploads", idOf(path)));
  expect((await ask(person, path)).status).toBe(410);
  expect(await begin(person, { size: wav.length, fields })).toBe(path);
  expect((await append(server, person, path, { offset: 0, body: wav })).status).toBe(204);
});

test("announces its tus capabilities to the page's origin only", async () => {
  const server = await startTestServer();
  const options = await fetch(`${server.apiUrl}${uploads}`, {
    method: "OPTIONS",
    headers: { Origin: server.pageUrl, "Access-Control-Request-Method": "PATCH" },
  });
  expect(Object.fromEntries(options.headers)).toMatchObject({
    "access-control-allow-origin": server.pageUrl,
    "tus-resumable": "1.0.0",
    "tus-version": "1.0.0",
    "tus-max-size": String(2048 * 1024 * 1024),
  });
  expect(options.headers.get("access-control-allow-headers")).toMatch(/Upload-Offset/);
  const person = await signUp(server);
  const answer = await create(person, { size: 10, headers: { Origin: server.pageUrl } });
  expect(answer.headers.get("access-control-expose-headers")).toMatch(/Location.*Upload-Offset/);
  const strange = await create(person, { size: 10, headers: { Origin: "https://evil.example" } });
  expect([strange.status, strange.headers.get("access-control-allow-origin")]).toEqual([403, null]);
});

function personCall(apiUrl: string, token: string) {
  return (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
    fetch(`${apiUrl}${path}`, {
      method,
      headers: { Authorization: `Bearer ${token}`, ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
}

test("sends no tus headers on other routes", async () => {
  const server = await startTestServer();
  const person = await signUp(server);
  const answer = await person.call("GET", `${base}/transcription-history`);
  expect(answer.headers.get("Tus-Resumable")).toBeNull();
});

import { readdir } from "node:fs/promises";
import { request } from "node:http";
import { join } from "node:path";
import { ListObjectsV2Command } from "@aws-sdk/client-s3";
import { describe, expect, onTestFinished, test } from "vitest";
import { type S3Environment, sharedS3, startS3, type TestS3 } from "#tests/grown/harness-s3.ts";
import { asPerson, eventually, type Person, refusal, settled, signUp, startTestServer, upload } from "#tests/server/harness.ts";
import { buzzWav } from "#tests/server/jobs/scripted.ts";
import { share, visit } from "#tests/server/sharing/links.ts";
import { append, begin, idOf, offsetOf } from "#tests/server/uploads/tus.ts";
import { putIn, vaults, withVault } from "#tests/server/vault/vaults.ts";

// Needs a server that speaks S3: all files of an installation are there.

const audioOf = (id: string) => `/api/v1/audio-transcriptions/transcription/${id}/audio`;

async function keysIn({ client }: TestS3, { S3_BUCKET }: S3Environment): Promise<string[]> {
  const { Contents = [] } = await client.send(new ListObjectsV2Command({ Bucket: S3_BUCKET }));
  return Contents.map(({ Key = "" }) => Key);
}

/** A server whose files are in a bucket of its own. */
async function setUp(more: Record<string, string> = {}) {
  const s3 = await sharedS3();
  const env = await s3.newBucket();
  const server = await startTestServer({ env: { ...env, ...more } });
  return { s3, env, server, person: await signUp(server) };
}

/** A request like that of a browser's audio element, with the access cookie. */
function askAsElement(apiUrl: string, path: string, cookie: string): Promise<{ status: number; location: string }> {
  return new Promise((resolve, reject) => {
    const headers = { Cookie: cookie, "Sec-Fetch-Mode": "no-cors", "Sec-Fetch-Site": "same-site" };
    const asking = request(`${apiUrl}${path}`, { headers }, (answer) => {
      answer.resume();
      resolve({ status: answer.statusCode ?? 0, location: answer.headers.location ?? "" });
    });
    asking.on("error", reject);
    asking.end();
  });
}

async function cookieFor(person: Person, id: string): Promise<string> {
  const answer = await person.call("POST", `${audioOf(id)}-access`);
  return (answer.headers.get("Set-Cookie") ?? "").split(";", 1)[0] ?? "";
}

describe("API with files in a bucket", () => {
  // PROMISE processes: A bucket keeps the files; `npm run files -- move` moves them
  test("transcribes and plays a resumable upload over a restart, and deletes it with its account", async () => {
    const { s3, env, server, person } = await setUp();
    const wav = buzzWav(200);
    const path = await begin(person, { size: wav.length });
    const middle = 6_000_000;
    expect((await append(server, person, path, { offset: 0, body: wav.subarray(0, middle) })).status).toBe(204);
    await server.close();
    const next = await startTestServer({ env, dataDir: server.dataDir });
    const again = asPerson(next, person.token, person.email);
    expect(await offsetOf(again, path)).toBe(middle);
    const last = await append(next, again, path, { offset: middle, body: wav.subarray(middle) });
    expect([last.status, last.headers.get("Upload-Offset")]).toEqual([204, String(wav.length)]);
    const made = await settled(again, idOf(path));
    expect(made).toMatchObject({ status: "completed", durationSeconds: 200 });
    expect((await keysIn(s3, env)).toSorted()).toEqual([`audio/${made.id}/original`, `audio/${made.id}/peaks`]);
    // None of it stays on this machine.
    for (const folder of ["audio", "uploads", "incoming", "jobs", "scratch"]) {
      expect([folder, await readdir(join(next.dataDir, folder))]).toEqual([folder, []]);
    }
    const part = await again.call("GET", audioOf(made.id), undefined, { Range: "bytes=1000-5999999" });
    expect([part.status, part.headers.get("Content-Range")]).toEqual([206, `bytes 1000-5999999/${wav.length}`]);
    expect(Buffer.from(await part.arrayBuffer()).equals(wav.subarray(1000, 6_000_000))).toBe(true);
    await again.call("DELETE", "/users/me", { password: "correct horse" });
    expect(await keysIn(s3, env)).toEqual([]);
  });

  test("returns a vault item unchanged, and removes it from the bucket", async () => {
    const s3 = await sharedS3();
    const env = await s3.newBucket();
    const vault = await withVault({ env });
    const { id, size } = await putIn(vault, "secret ".repeat(1_000_000));
    const content = await vault.person.call("GET", `${vaults}/${id}/content`, undefined, { Range: "bytes=5000000-" });
    expect([content.status, content.headers.get("Content-Range")]).toEqual([206, `bytes 5000000-${size - 1}/${size}`]);
    expect((await content.arrayBuffer()).byteLength).toBe(size - 5_000_000);
    expect(await keysIn(s3, env)).toEqual([`vault/${id}/content`]);
    expect((await vault.person.call("DELETE", `${vaults}/${id}`)).status).toBe(204);
    expect(await keysIn(s3, env)).toEqual([]);
  });

  test("redirects media elements to a signed address, and answers other requests itself", async () => {
    const s3 = await sharedS3();
    const { server, person } = await setUp({ S3_PUBLIC_URL: s3.endpoint });
    const wav = buzzWav(2);
    const { id } = await settled(person, (await (await upload(person, wav)).json()).id);
    const cookie = await cookieFor(person, id);
    const { status, location } = await askAsElement(server.apiUrl, audioOf(id), cookie);
    expect([status, new URL(location).searchParams.get("X-Amz-Expires")]).toEqual([307, "300"]);
    const played = await fetch(location, { headers: { Range: "bytes=0-3" } });
    expect([played.status, played.headers.get("Content-Type"), await played.text()]).toEqual([206, "audio/wav", "RIFF"]);
    expect((await fetch(location.replace("audio%2Fwav", "text%2Fhtml"))).status).toBe(403);
    const saved = await askAsElement(server.apiUrl, `${audioOf(id)}?download`, cookie);
    expect((await fetch(saved.location)).headers.get("Content-Disposition")).toMatch(/^attachment; filename=/);
    const here = await person.call("GET", audioOf(id));
    expect([here.status, (await here.arrayBuffer()).byteLength]).toEqual([200, wav.length]);
    // Without access there is no signed address.
    expect((await askAsElement(server.apiUrl, audioOf(id), "")).status).toBe(401);
    const other = await signUp(server);
    expect((await askAsElement(server.apiUrl, audioOf(id), (await cookieFor(other, id)) || "x=y")).status).toBe(401);
    // A link gets no signed address, because that would remain valid after the link was revoked.
    const visitor = visit(server, await share(person, id, { audio: true }));
    await visitor.shown();
    expect((await askAsElement(server.apiUrl, `${visitor.path}/audio`, visitor.cookie())).status).toBe(200);
    const page = await fetch(server.pageUrl, { headers: { Accept: "text/html" } });
    expect(page.headers.get("Content-Security-Policy")).toMatch(new RegExp(`media-src [^;]* ${s3.endpoint}(;| )`));
  });
});

test("reports a missing bucket, retries, and loses nothing that was acknowledged", async () => {
  const s3 = await startS3();
  onTestFinished(s3.close);
  const env = await s3.newBucket();
  const server = await startTestServer({ env });
  const person = await signUp(server);
  const wav = buzzWav(200);
  const first = await settled(person, (await (await upload(person, buzzWav(2))).json()).id);
  const path = await begin(person, { size: wav.length });
  await append(server, person, path, { offset: 0, body: wav.subarray(0, 5_500_000) });
  await s3.kill();
  expect(await refusal(await person.call("GET", audioOf(first.id)))).toBe("503 storageUnavailable");
  const cut = await append(server, person, path, { offset: 5_500_000, body: wav.subarray(5_500_000) });
  expect(await refusal(cut)).toBe("503 storageUnavailable");
  expect(await refusal(await upload(person, buzzWav(2)))).toBe("503 storageUnavailable");
  await s3.restart();
  const played = await person.call("GET", audioOf(first.id));
  expect([played.status, (await played.arrayBuffer()).byteLength > 0]).toEqual([200, true]);
  const offset = await offsetOf(person, path);
  expect(offset).toBeLessThanOrEqual(5_500_000);
  expect((await append(server, person, path, { offset, body: wav.subarray(offset) })).status).toBe(204);
  const made = await settled(person, idOf(path));
  expect(made.status).toBe("completed");
  const whole = await person.call("GET", audioOf(made.id));
  expect(Buffer.from(await whole.arrayBuffer()).equals(wav)).toBe(true);
  await eventually(
    () => keysIn(s3, env),
    (keys) => keys.filter((key) => key.endsWith("/original")).length === 2,
  );
});

describe("start with an unusable bucket", () => {
  test.each([
    ["another bucket", { S3_BUCKET: "nobody-made-this" }, /this bucket does not exist/],
    ["a wrong secret", { S3_SECRET_ACCESS_KEY: "wrong" }, /S3_SECRET_ACCESS_KEY does not belong to/],
    ["nothing at this address", { S3_ENDPOINT: "http://127.0.0.1:9" }, /it does not answer like S3 \(ECONNREFUSED/],
  ])("fails with the reason: %s", async (_, changed, reason) => {
    const env = await (await sharedS3()).newBucket();
    await expect(startTestServer({ env: { ...env, ...changed } })).rejects.toThrow(reason);
  });
});

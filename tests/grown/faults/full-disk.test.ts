import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { open, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { describe, expect, onTestFinished, test } from "vitest";
import { Transcription, UserProfile, VaultItem } from "#contract/index.ts";
import { listBackups } from "#server/backup/prune.ts";
import { readBackup } from "#server/backup/read.ts";
import { writeBackup } from "#server/backup/write.ts";
import { encryptFor } from "#src/features/vault/encryption.ts";
import { allWords, Dictation, textOf } from "#tests/server/dictation/dictation.ts";
import {
  base,
  eventually,
  getTranscription,
  read,
  refusal,
  settled,
  signUp,
  startTestServer,
  upload,
} from "#tests/server/harness.ts";
import { ways } from "#tests/server/http/pictures.ts";
import { buzzWav, spokenWav } from "#tests/server/jobs/scripted.ts";
import { startWithSuperuser } from "#tests/server/superuser.ts";
import { here, say, talk } from "#tests/server/translator/talking.ts";
import { append, begin, newFields, offsetOf } from "#tests/server/uploads/tus.ts";
import { begin as beginItem, putBytes, vaults, withVault } from "#tests/server/vault/vaults.ts";
import { canMount, smallDisk } from "./small-disk.ts";

// Mounts a small disk and fills it; a full disk during an upload: tests/server/uploads/upload.test.ts.

/** In bytes. A job leaves 64 MB free, so the disk is larger than that. */
const size = 96 * 1024 * 1024;
const full = "507 storageFull";
const now = Date.parse("2026-03-01T12:00:00Z");

async function soundOf(person: { call(method: string, path: string): Promise<Response> }, id: string): Promise<Buffer> {
  const answer = await person.call("GET", `${base}/transcription/${id}/audio`);
  return Buffer.from(await answer.arrayBuffer());
}

const picture = (colour: string) =>
  execFileSync("ffmpeg", [
    ...["-loglevel", "error", "-f", "lavfi", "-i", `color=${colour}:size=400x300`, "-frames:v", "1"],
    ...["-f", "image2pipe", "-c:v", "png", "pipe:1"],
  ]);

describe.skipIf(!canMount)("full disk (only root may mount one; skipped for others)", () => {
  test("refuses a file and leaves nothing of it, until there is space", async () => {
    const disk = await smallDisk(size);
    const server = await startTestServer({ dataDir: disk.folder });
    const person = await signUp(server);
    const first = await read(await upload(person, spokenWav(2)), 202, Transcription);
    await settled(person, first.id);
    await disk.fill(100_000);
    expect(await refusal(await upload(person, buzzWav(10)))).toBe(full);
    expect(await readdir(join(disk.folder, "incoming"))).toEqual([]);
    expect(await readdir(join(disk.folder, "audio"))).toEqual([first.id]);
    expect((await soundOf(person, first.id)).equals(spokenWav(2))).toBe(true);
    await disk.makeRoom();
    const { id } = await read(await upload(person, buzzWav(10)), 202, Transcription);
    expect(await settled(person, id)).toMatchObject({ status: "completed" });
    expect((await soundOf(person, id)).equals(buzzWav(10))).toBe(true);
  });

  test("stops a resumable upload where it is, and resumes it when there is space", async () => {
    const disk = await smallDisk(size);
    const server = await startTestServer({ dataDir: disk.folder });
    const person = await signUp(server);
    const bytes = buzzWav(10);
    const fields = newFields();
    const path = await begin(person, { size: bytes.length, fields });
    await append(server, person, path, { offset: 0, body: bytes.subarray(0, 50_000) });
    await disk.fill(100_000);
    expect(await refusal(await append(server, person, path, { offset: 50_000, body: bytes.subarray(50_000) }))).toBe(full);
    const offset = await offsetOf(person, path);
    expect(offset).toBeGreaterThanOrEqual(50_000);
    expect(offset).toBeLessThan(bytes.length);
    await disk.makeRoom();
    expect((await append(server, person, path, { offset, body: bytes.subarray(offset) })).status).toBeLessThan(300);
    const id = path.split("/").at(-1) ?? "";
    expect(await settled(person, id)).toMatchObject({ status: "completed" });
    expect((await soundOf(person, id)).equals(bytes)).toBe(true);
  });

  test("delays a file that can't be decoded, says so, and transcribes it when there is space", async () => {
    const disk = await smallDisk(size);
    let time = now;
    const server = await startTestServer({ dataDir: disk.folder, now: () => time });
    const person = await signUp(server);
    await disk.fill(4 * 1024 * 1024);
    const { id } = await read(await upload(person, spokenWav(2)), 202, Transcription);
    const failed = await eventually(
      async () => {
        const found = await getTranscription(person, id);
        if (found.progress?.stage === "waiting") time += 1_000;
        return found;
      },
      ({ status }) => status === "failed",
    );
    expect(failed).toMatchObject({ hasAudio: true, error: { code: "storageFull", message: "The server's disk is full." } });
    await disk.makeRoom();
    await read(await person.call("PUT", `/audio/remove-transcription/${id}`, { retry: true }), 200, Transcription);
    expect(await settled(person, id)).toMatchObject({ status: "completed", error: null });
  });

  test("keeps confirmed words during a dictation, tells the person, and loses none afterwards", async () => {
    const disk = await smallDisk(size);
    const server = await startTestServer({ dataDir: disk.folder });
    const person = await signUp(server);
    const live = await Dictation.start(server.apiUrl, person.token);
    live.sendFrames(0, 20);
    await live.acked(20);
    // In the middle of a frame: its beginning still fits.
    await disk.fill(20_000);
    live.sendFrames(20, 100);
    expect(await live.next("error")).toMatchObject({ code: "storageFull", message: "The server's disk is full." });
    expect(await live.closed).toBe(1011);
    const confirmed = Math.max(...live.messages.map((message) => (message.type === "ack" ? message.ack : 0)));
    await disk.makeRoom();
    const again = await Dictation.start(server.apiUrl, person.token, live.recordingId);
    const [ready] = again.messages;
    const from = ready?.type === "ready" ? ready.ack : 0;
    expect(from).toBeGreaterThanOrEqual(confirmed);
    expect(from).toBeLessThan(100);
    again.sendFrames(from, 100);
    again.say({ type: "end", frames: 100 });
    expect(textOf((await again.next("done")).segments)).toBe(allWords(20));
  });

  test("refuses changes in the database even inside a transaction, while reads succeed", async () => {
    const disk = await smallDisk(size);
    const server = await startTestServer({ dataDir: disk.folder });
    const person = await signUp(server);
    const rename = (name: string) => person.call("PATCH", "/users/me", { name });
    expect(await read(await rename("Ada"), 200, UserProfile)).toMatchObject({ name: "Ada" });
    await disk.fill();
    // The database's log has space for some changes, because it was larger before.
    const answers = await eventually(
      () => rename("Grace".padEnd(100, "!")).then((answer) => refusal(answer).catch(() => answer.status)),
      (answer) => answer === full,
    );
    expect(answers).toBe(full);
    const before = await read(await person.call("GET", "/users/me"), 200, UserProfile);
    // A change of several statements.
    const big = "x".repeat(50_000);
    const saved = {
      clientId: crypto.randomUUID(),
      text: big,
      segments: [],
      date: "2026-03-01T12:00:00Z",
      title: "A",
      sourceLanguage: "en",
      targetLanguage: null,
    };
    expect(await refusal(await person.call("POST", `${base}/save-final-transcription`, saved))).toBe(full);
    expect(await read(await person.call("GET", "/users/me"), 200, UserProfile)).toEqual(before);
    await disk.makeRoom();
    expect(await read(await rename("Emmy"), 200, UserProfile)).toMatchObject({ name: "Emmy" });
    expect((await person.call("POST", `${base}/save-final-transcription`, saved)).status).toBeLessThan(300);
  });

  test("keeps the received part and the earlier text of a vault item", async () => {
    const disk = await smallDisk(size);
    const { server, person, keys } = await withVault({ dataDir: disk.folder });
    const cipher = await encryptFor(keys.vault.recipient, "secret ".repeat(60_000));
    const { id } = await beginItem(person, keys, cipher.length);
    const put = (offset: number) => putBytes(server, person, `${vaults}/${id}/content?offset=${offset}`, cipher.subarray(offset));
    const putText = async (text: string) =>
      putBytes(server, person, `${vaults}/${id}/text`, await encryptFor(keys.vault.recipient, text));
    const bytesOf = async (what: string) =>
      Buffer.from(await (await person.call("GET", `${vaults}/${id}/${what}`)).arrayBuffer());
    await disk.fill(100_000);
    expect(await refusal(await put(0))).toBe(full);
    const { received } = await read(await person.call("GET", `${vaults}/${id}`), 200, VaultItem);
    expect(received).toBeLessThan(cipher.length);
    await disk.makeRoom();
    await read(await put(received), 200, VaultItem);
    expect((await bytesOf("content")).equals(cipher)).toBe(true);

    await read(await putText("the first words"), 200, VaultItem);
    const words = await bytesOf("text");
    await disk.fill(50_000);
    expect(await refusal(await putText("more words ".repeat(20_000)))).toBe(full);
    expect(await bytesOf("text")).toEqual(words);
    expect((await readdir(join(disk.folder, "vault", id))).toSorted()).toEqual(["content", "text"]);
    await disk.makeRoom();
    await read(await putText("other words"), 200, VaultItem);
    expect(await bytesOf("text")).not.toEqual(words);
  });

  test("keeps the sound of a conversation when a turn can't be added, and adds it later", async () => {
    const disk = await smallDisk(size);
    const server = await startTestServer({ dataDir: disk.folder });
    const person = await signUp(server);
    const conversation = talk(server, person);
    const [first, second] = [await conversation.record(2, 100), await conversation.record(5, 200)];
    const { id } = await conversation.save(first, 1, { ...here, segments: [say("one", "uno", 2)] });
    await disk.fill(30_000);
    const put = () => conversation.put(second, { ...here, segments: [say("two", "dos", 5)], date: new Date(now).toISOString() });
    expect(await refusal(await put())).toBe(full);
    expect(await conversation.audio(id)).toEqual([100, 100]);
    await disk.makeRoom();
    await read(await put(), 200, Transcription);
    const seconds = await conversation.audio(id);
    expect(Array.isArray(seconds) ? seconds.toSorted((a, b) => a - b) : seconds).toEqual([100, 100, 200, 200, 200, 200, 200]);
  });

  test("keeps existing pictures and no part of a new one", async () => {
    const disk = await smallDisk(size);
    const { server, superuser } = await startWithSuperuser({ dataDir: disk.folder });
    const [red, blue] = [picture("red"), picture("blue")];
    const { avatar_url: url } = await read(await ways["a person's picture"](server, superuser, red), 200, UserProfile);
    const shown = async () => Buffer.from(await (await fetch(new URL(url ?? "", server.apiUrl))).arrayBuffer());
    const before = await shown();
    const kept = async (folder: string) => readdir(join(disk.folder, folder)).catch(() => []);
    const avatars = await kept("avatars");
    await disk.fill();
    for (const [way, folder, names] of [
      ["a person's picture", "avatars", avatars],
      ["a post's picture", "blog-images", []],
    ] as const) {
      expect(await refusal(await ways[way](server, superuser, blue))).toBe(full);
      expect(await kept(folder)).toEqual(names);
    }
    expect(await shown()).toEqual(before);
    await disk.makeRoom();
    for (const way of ["a person's picture", "a post's picture"] as const)
      expect((await ways[way](server, superuser, blue)).status).toBeLessThan(300);
  });

  test("keeps existing backups and no part of a new one", async () => {
    const disk = await smallDisk(size);
    const server = await startTestServer();
    const person = await signUp(server);
    await settled(person, (await read(await upload(person, spokenWav(4)), 202, Transcription)).id);
    const make = (at: number) => writeBackup({ dataDir: server.dataDir, backupDir: disk.folder, recipient: undefined, now: at });
    const { path } = await make(now);
    const before = await listBackups(disk.folder);
    for (const leaving of [0, 40_000, 400_000]) {
      await disk.fill(leaving);
      await expect(make(now + 60_000)).rejects.toThrow(/no space left|disk is full/);
      expect(await listBackups(disk.folder)).toEqual(before);
      expect((await readdir(disk.folder)).filter((name) => name.startsWith("."))).toEqual([]);
      await disk.makeRoom();
    }
    await readBackup(path);
    await readBackup((await make(now + 60_000)).path);
  });

  test("a full disk costs log lines, but does not stop the server", async () => {
    const disk = await smallDisk(1024 * 1024);
    const program = fileURLToPath(new URL("./logging-child.ts", import.meta.url));
    const path = join(disk.folder, "log");
    await using file = await open(path, "a");
    const child = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", program], {
      stdio: ["pipe", "pipe", file.fd],
    });
    onTestFinished(() => void child.kill("SIGKILL"));
    const { stdin, stdout } = child;
    if (stdin === null || stdout === null) throw new Error("It has no pipes.");
    const lines = createInterface({ input: stdout })[Symbol.asyncIterator]();
    const log = async (line: string) => {
      stdin.write(`${line}\n`);
      expect(await lines.next()).toMatchObject({ value: line });
    };
    await log("before");
    await disk.fill();
    // The file's last page still has space for some of them.
    for (let at = 0; at < 100; at += 1) await log(`lost ${at}`);
    await disk.makeRoom();
    await log("after");
    stdin.end();
    expect(await once(child, "close")).toEqual([0, null]);
    const logged = await readFile(path, "utf8");
    expect(logged).toContain('"message":"before"');
    expect(logged).not.toContain('"message":"lost 99"');
    expect(logged).toContain('"message":"after"');
  });
});

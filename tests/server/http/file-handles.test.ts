import { mkdir, open, readdir, readlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Hono } from "hono";
import { expect, onTestFinished, test, vi } from "vitest";
import { restoreBackup } from "#server/backup/restore.ts";
import { writeBackup } from "#server/backup/write.ts";
import { RecordingFile } from "#server/dictation/recording-file.ts";
import type { AppEnv } from "#server/http/env.ts";
import { sendRange } from "#server/http/send-range.ts";
import { fileOfSize } from "#server/storage/stored-file.ts";
import type { SpeechStream } from "#speech/stream.ts";
import { onPostgres } from "#tests/server/database.ts";
import { Dictation } from "#tests/server/dictation/dictation.ts";
import { signUp, startTestServer, temporaryFolder } from "#tests/server/harness.ts";
import { scriptedEngines } from "#tests/server/jobs/scripted.ts";

const size = 1024 * 1024;

/** How many handles this process has on a file or on files of a folder. */
async function timesOpen(path: string): Promise<number> {
  const links = (await readdir("/proc/self/fd")).map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => ""));
  return (await Promise.all(links)).filter((link) => link === path || link.startsWith(`${path}/`)).length;
}

/** An application that answers every request with a file. */
const sending = (path: string) =>
  new Hono<AppEnv>().get("/", (c) => {
    c.set("questions", []);
    return sendRange(c, fileOfSize(path, size), '"tag"');
  });

/** Such an application and a count of the file's open handles. */
async function fileServer() {
  const file = join(await temporaryFolder(), "audio");
  await writeFile(file, Buffer.alloc(size, 7));
  const app = sending(file);
  const opened = () => timesOpen(file);
  return { app, file, opened };
}

/** Reader of an answer's body. */
async function reader({ app }: Awaited<ReturnType<typeof fileServer>>) {
  const { body } = await app.request("/");
  return body?.getReader() ?? expect.fail("no body");
}

// A handle that is collected without being closed ends the process (Node 26).
test("keeps a file open only while its answer is read", async () => {
  const server = await fileServer();
  const body = await reader(server);
  expect((await body.read()).value?.length).toBe(256 * 1024);
  expect(await server.opened()).toBe(1);
  let rest = 0;
  for (let part = await body.read(); !part.done; part = await body.read()) rest += part.value.length;
  expect([rest, await server.opened()]).toEqual([size - 256 * 1024, 0]);
});

test("opens no file for an answer that nobody reads", async () => {
  const server = await fileServer();
  for (let times = 0; times < 20; times++) await server.app.request("/");
  expect(await server.opened()).toBe(0);
});

test("closes the file when the listener leaves while it is opened or read", async () => {
  const server = await fileServer();
  for (let times = 0; times < 20; times++) {
    const body = await reader(server);
    const reading = body.read();
    await body.cancel();
    expect((await reading).done).toBe(true);
    const later = await reader(server);
    await later.read();
    await Promise.all([later.read(), later.cancel()]);
  }
  await expect.poll(server.opened).toBe(0);
});

test("a missing file fails only its own answer", async () => {
  const { app } = await fileServer();
  const gone = sending("/nowhere/audio");
  await expect((await gone.request("/")).arrayBuffer()).rejects.toThrow(/ENOENT/);
  expect((await (await app.request("/")).arrayBuffer()).byteLength).toBe(size);
});

test("closes a recording's first file when its second can't be opened", async () => {
  const path = join(await temporaryFolder(), "recording");
  await mkdir(`${path}.idx`);
  await expect(RecordingFile.open(path)).rejects.toThrow(/EISDIR/);
  expect(await timesOpen(`${path}.pcm`)).toBe(0);
});

test("closes recording and recognizer when the person leaves while the recognizer starts", async () => {
  const begun = Promise.withResolvers<SpeechStream>();
  const ended = Promise.withResolvers<void>();
  const server = await startTestServer({ engines: scriptedEngines({ openStream: () => begun.promise }) });
  const { token } = await signUp(server);
  const live = await Dictation.start(server.apiUrl, token);
  live.sendFrames(0, 5);
  await live.acked(5);
  const opened = () => timesOpen(join(server.dataDir, "live"));
  expect(await opened()).toBe(2);
  await live.cut();
  await expect.poll(opened).toBe(0);
  begun.resolve({ write: async () => {}, end: async () => {}, close: ended.resolve });
  await ended.promise;
});

test.skipIf(onPostgres)("closes a backup's file when it can't be flushed to the disk", async () => {
  const { dataDir, close } = await startTestServer();
  const backupDir = await temporaryFolder();
  const { path } = await writeBackup({ dataDir, backupDir, recipient: undefined, now: Date.now() });
  await close();
  const file = await open(path);
  await file.close();
  const sync = vi.spyOn(Object.getPrototypeOf(file), "sync").mockRejectedValueOnce(new Error("ENOSPC"));
  onTestFinished(() => sync.mockRestore());
  const restoring = restoreBackup({ path, identity: undefined, dataDir, backupDir, now: Date.now() });
  await expect(restoring).rejects.toThrow("ENOSPC");
  expect(await timesOpen(dataDir)).toBe(0);
});

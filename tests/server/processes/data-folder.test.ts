import { spawn } from "node:child_process";
import { chmod, mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { expect, onTestFinished, test } from "vitest";
import { Transcription } from "#contract/index.ts";
import { node26, root } from "#scripts/tools.mjs";
import { childEnv } from "#tests/fixtures/child-env.ts";
import { openSql } from "#tests/server/database.ts";
import { read, signUp, startTestServer, temporaryFolder, testClock, upload } from "#tests/server/harness.ts";
import { buzzWav } from "#tests/server/jobs/scripted.ts";
import { change, save } from "#tests/server/transcription/saved.ts";
import { passTrashTime } from "#tests/server/transcriptions/trash.ts";

/** Permission bits of group and others; 0: none. */
const rightsOfOthers = async (path: string) => (await stat(path)).mode & 0o077;

/** The entries of a folder with permissions for group or others. */
async function openToOthers(folder: string): Promise<string[]> {
  const open: string[] = [];
  for (const name of await readdir(folder)) {
    if ((await rightsOfOthers(join(folder, name))) !== 0) open.push(name);
  }
  return open;
}

/** The database's files that contain these words. */
async function holding(dataDir: string, words: string): Promise<string[]> {
  const names = (await readdir(dataDir)).filter((name) => name.startsWith("parlance.db"));
  const files = await Promise.all(names.map(async (name) => ({ name, bytes: await readFile(join(dataDir, name)) })));
  return files.filter(({ bytes }) => bytes.includes(words)).map(({ name }) => name);
}

test("the start closes an open data folder and its files, except the models, to other users", async () => {
  const dataDir = await temporaryFolder();
  const before = await startTestServer({ dataDir });
  await read(await upload(await signUp(before), buzzWav(1)), 202, Transcription);
  await before.close();
  await mkdir(join(dataDir, "models"), { recursive: true });
  await writeFile(join(dataDir, "parlance.db-wal"), "");
  for (const name of await readdir(dataDir)) {
    const path = join(dataDir, name);
    await chmod(path, (await stat(path)).isDirectory() ? 0o777 : 0o666);
  }
  await chmod(dataDir, 0o777);
  await startTestServer({ dataDir });
  expect(await rightsOfOthers(dataDir)).toBe(0);
  expect(await openToOthers(dataDir)).toEqual(["models"]);
  expect((await stat(join(dataDir, "parlance.db"))).mode & 0o777).toBe(0o600);
  expect((await stat(join(dataDir, "audio"))).mode & 0o777).toBe(0o700);
});

test("in a shared folder the start closes only the database to others and logs a warning", async () => {
  const dataDir = await temporaryFolder();
  await writeFile(join(dataDir, "notes.txt"), "somebody else's");
  await chmod(join(dataDir, "notes.txt"), 0o644);
  await chmod(dataDir, 0o1777);
  const lines: string[] = [];
  const start = { dataDir, env: { LOG_LEVEL: "warn" }, writeLog: (line: string) => lines.push(line) };
  await (await startTestServer(start)).close();
  await chmod(join(dataDir, "parlance.db"), 0o644);
  await startTestServer(start);
  expect(await openToOthers(dataDir)).toEqual(["notes.txt"]);
  expect((await stat(dataDir)).mode & 0o7777).toBe(0o1777);
  expect(lines.join("")).toContain(`Other users can write to ${dataDir}.`);
});

test("the process writes its files for this user only, under any umask", async () => {
  const dataDir = join(await temporaryFolder(), "data");
  await mkdir(dataDir);
  await chmod(dataDir, 0o755);
  const before = process.umask(0o000);
  onTestFinished(() => void process.umask(before));
  const env = { ...childEnv(), PORT: "0", WEB_PORT: "0", PARLANCE_DATA: dataDir };
  const child = spawn(node26, ["server/main.ts"], { cwd: root, env, stdio: ["ignore", "pipe", "ignore"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  for await (const line of createInterface({ input: child.stdout })) if (line.startsWith("Parlance is ready")) break;
  expect(await rightsOfOthers(dataDir)).toBe(0);
  expect(await openToOthers(dataDir)).toEqual([]);
  expect(await readdir(dataDir)).toEqual(expect.arrayContaining(["parlance.db", "parlance.db-wal", "jwt-secret", "audio"]));
});

test("purging removes deleted and overwritten text from the database's files", async () => {
  const clock = testClock();
  const server = await startTestServer({ now: clock.now });
  const person = await signUp(server);
  const long = "and so on and on ".repeat(2_000);
  const gone = await save(person, { title: "Rhubarb title", text: `unmistakable rhubarb ${long}` });
  const kept = await save(person, { text: `first celery ${long}` });
  for (let times = 0; times < 30; times++) await save(person, { title: `Rhubarb ${times}`, text: long });
  await change(person, kept.id, { text: `second parsnip ${long}` });
  expect(await holding(server.dataDir, "unmistakable rhubarb")).not.toEqual([]);
  await person.call("DELETE", `/audio/remove-transcription/${gone.id}`);
  await server.sweep();
  // The text can still be restored from the trash.
  expect(await holding(server.dataDir, "unmistakable rhubarb")).not.toEqual([]);
  await passTrashTime(server, clock);
  for (const words of ["unmistakable rhubarb", "Rhubarb title", "first celery"]) {
    expect([words, await holding(server.dataDir, words)]).toEqual([words, []]);
  }
  expect(await holding(server.dataDir, "second parsnip")).toEqual(["parlance.db"]);
});

test("the next sweep purges what another process has blocked, and no sweep waits for it", async () => {
  const server = await startTestServer();
  const person = await signUp(server);
  const { id } = await save(person, { text: "unmistakable rhubarb" });
  using reader = openSql(server.dataDir);
  reader.exec("begin; select count(*) from transcriptions");
  await change(person, id, { text: "other words" });
  const from = performance.now();
  await server.sweep();
  // The database itself would wait for ten seconds and block the server.
  expect(performance.now() - from).toBeLessThan(5_000);
  expect(await holding(server.dataDir, "unmistakable rhubarb")).not.toEqual([]);
  reader.exec("commit");
  await server.sweep();
  expect(await holding(server.dataDir, "unmistakable rhubarb")).toEqual([]);
});

import { execFileSync } from "node:child_process";
import { copyFile, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { generateIdentity, identityToRecipient } from "age-encryption";
import * as v from "valibot";
import { describe, expect, test } from "vitest";
import { backupName } from "#server/backup/format.ts";
import { listBackups, pruneBackups } from "#server/backup/prune.ts";
import { readBackup } from "#server/backup/read.ts";
import { restoreBackup, restorePoint, undoRestore } from "#server/backup/restore.ts";
import { writeBackup } from "#server/backup/write.ts";
import { readConfig } from "#server/config/config.ts";
import { openDataFolder } from "#server/processes/data-folder.ts";
import { onPostgres } from "#tests/server/database.ts";
import {
  asPerson,
  base,
  getTranscription,
  read,
  settled,
  signInAgain,
  signUp,
  startTestServer,
  temporaryFolder,
  upload,
} from "#tests/server/harness.ts";
import { spokenWav } from "#tests/server/jobs/scripted.ts";
import { save } from "#tests/server/transcription/saved.ts";

const Created = v.object({ id: v.string() });
const now = Date.parse("2026-03-01T12:00:00Z");

/** Starts a server with a person who has a file and a text, and writes a backup while the server runs. */
async function setUp(recipient?: string) {
  const server = await startTestServer();
  const person = await signUp(server);
  const { id } = await read(await upload(person, spokenWav(4)), 202, Created);
  await settled(person, id);
  const backupDir = await temporaryFolder();
  const backup = await writeBackup({ dataDir: server.dataDir, backupDir, recipient, now });
  return { server, person, id, backupDir, backup };
}

type World = Awaited<ReturnType<typeof setUp>>;

const restored = (
  { server, backupDir, backup }: World,
  more: { identity?: string; check?: () => Promise<void>; path?: string } = {},
) => restoreBackup({ path: backup.path, identity: undefined, dataDir: server.dataDir, backupDir, now, ...more });

async function soundOf(world: World, apiUrl: string): Promise<number> {
  const again = await signInAgain({ apiUrl }, world.person);
  const answer = await again.call("GET", `${base}/transcription/${world.id}/audio`);
  return (await answer.arrayBuffer()).byteLength;
}

describe.skipIf(onPostgres)("backup", () => {
  // PROMISE operating: Backups run while the server runs, are encrypted and rotated
  test("a backup is written while the server runs, and standard tools can read it", async () => {
    const { backup, server } = await setUp();
    expect(backup.path).toMatch(/parlance-2026-03-01T12-00-00Z\.tar\.zst$/);
    const folder = await temporaryFolder();
    const plain = join(folder, "backup.tar");
    const { zstdDecompressSync } = await import("node:zlib");
    await writeFile(plain, zstdDecompressSync(await readFile(backup.path)));
    execFileSync("tar", ["-xf", plain, "-C", folder]);
    // An independent program checks the checksum of every file.
    const said = execFileSync("sha256sum", ["-c", "SHA256SUMS"], { cwd: folder, encoding: "utf8" });
    expect(said).not.toContain("FAILED");
    expect(await readdir(join(folder, "files", "audio"))).toEqual(await readdir(join(server.dataDir, "audio")));
    expect(await readdir(join(folder, "files"))).not.toContain("models");
  });

  test("refuses a damaged or truncated backup and keeps the data", async () => {
    const world = await setUp();
    const bytes = await readFile(world.backup.path);
    const folder = await temporaryFolder();
    const damaged = join(folder, backupName(now, false));
    for (const broken of [
      bytes.subarray(0, bytes.length - 100),
      Buffer.concat([bytes.subarray(0, 400), Buffer.alloc(50), bytes.subarray(450)]),
    ]) {
      await writeFile(damaged, broken);
      await expect(readBackup(damaged)).rejects.toThrow();
      await world.server.close();
      await expect(restored(world, { path: damaged })).rejects.toThrow();
      expect(await readdir(world.server.dataDir)).not.toContain("restore-points");
    }
    const second = await startTestServer({ dataDir: world.server.dataDir });
    const back = await signInAgain(second, world.person);
    expect((await getTranscription(back, world.id)).status).toBe("completed");
  });

  // PROMISE operating: Backups run while the server runs, are encrypted and rotated
  test("an encrypted backup opens only with the recipient's key", async () => {
    const identity = await generateIdentity();
    const world = await setUp(await identityToRecipient(identity));
    expect(world.backup.path).toMatch(/\.tar\.zst\.age$/);
    expect((await readFile(world.backup.path)).subarray(0, 21).toString()).toBe("age-encryption.org/v1");
    await expect(readBackup(world.backup.path, { identity: await generateIdentity() })).rejects.toThrow();
    await expect(readBackup(world.backup.path)).rejects.toThrow("--identity");
    expect((await readBackup(world.backup.path, { identity })).entries).toBe(world.backup.entries);
  });

  // PROMISE operating: Backups run while the server runs, are encrypted and rotated
  test("keeps the newest backups and deletes only older backups", async () => {
    const folder = await temporaryFolder();
    const names = [0, 1, 2, 3].map((day) => backupName(now + day * 86_400_000, day === 1));
    for (const name of [...names, "notes.txt"]) await writeFile(join(folder, name), "");
    expect(await pruneBackups(folder, 2)).toEqual([names[1], names[0]]);
    expect(await listBackups(folder)).toEqual([names[3], names[2]]);
    expect(await readdir(folder)).toContain("notes.txt");
  });
});

describe.skipIf(onPostgres)("restore of a backup", () => {
  test("refuses to restore while a server runs", async () => {
    const world = await setUp();
    await expect(restored(world)).rejects.toThrow("Parlance is running");
    expect((await getTranscription(world.person, world.id)).status).toBe("completed");
  });

  // PROMISE operating: A restore keeps a restore point, and rolls back on failure
  test("restores the backup's data and keeps the newer data as a restore point", async () => {
    const world = await setUp();
    const late = await save(world.person, { title: "after the backup", text: "one two" });
    await world.person.call("POST", `${base}/trash/erase`, { ids: [world.id] });
    await world.server.close();
    const { point } = await restored(world);
    const second = await startTestServer({ dataDir: world.server.dataDir });
    const back = asPerson(second, (await signInAgain(second, world.person)).token);
    expect((await getTranscription(back, world.id)).status).toBe("completed");
    expect((await back.call("GET", `${base}/transcription/${late.id}`)).status).toBe(404);
    expect(await soundOf(world, second.apiUrl)).toBe(spokenWav(4).length);
    await second.close();
    expect(await readdir(point)).toContain("parlance.db");
  });

  // PROMISE operating: A restore keeps a restore point, and rolls back on failure
  test("restoring a restore point brings back its data and keeps the present data as another point", async () => {
    const world = await setUp();
    const { server, backupDir, person } = world;
    const { dataDir } = server;
    const late = await save(person, { title: "after the backup", text: "one two" });
    await person.call("DELETE", `/audio/remove-transcription/${world.id}`);
    await person.call("POST", `${base}/trash/erase`, { ids: [world.id] });
    await server.close();
    const { point } = await restored(world);
    const place = { dataDir, backupDir, now: now + 1_000 };
    const second = await startTestServer({ dataDir });
    const meanwhile = await save(await signInAgain(second, person), { title: "meanwhile", text: "one two" });
    await expect(restorePoint({ ...place, name: basename(point) })).rejects.toThrow("Parlance is running");
    await second.close();
    await expect(restorePoint({ ...place, name: "yesterday" })).rejects.toThrow(`There are: ${basename(point)}`);
    await expect(restorePoint({ ...place, name: ".." })).rejects.toThrow("no restore point");
    const back = await restorePoint({ ...place, name: basename(point) });
    const third = await startTestServer({ dataDir });
    const again = await signInAgain(third, person);
    const statuses = [late.id, meanwhile.id, world.id].map(
      async (id) => (await again.call("GET", `${base}/transcription/${id}`)).status,
    );
    expect(await Promise.all(statuses)).toEqual([200, 404, 404]);
    await third.close();
    // Restores the data from before that again, with its audio.
    await restorePoint({ ...place, now: now + 2_000, name: basename(back.point) });
    const fourth = await startTestServer({ dataDir });
    expect((await getTranscription(await signInAgain(fourth, person), meanwhile.id)).title).toBe("meanwhile");
    expect(await soundOf(world, fourth.apiUrl)).toBe(spokenWav(4).length);
    expect((await readdir(join(dataDir, "restore-points"))).length).toBe(3);
  });

  // PROMISE operating: A restore keeps a restore point, and rolls back on failure
  test("keeps all data as it was when a restored server does not start", async () => {
    const world = await setUp();
    const late = await save(world.person, { title: "after the backup", text: "one two" });
    await world.server.close();
    const before = (await readdir(world.server.dataDir)).toSorted();
    const check = () => Promise.reject(new Error("It does not start."));
    await expect(restored(world, { check })).rejects.toThrow("the previous data was put back: It does not start.");
    expect((await readdir(world.server.dataDir)).filter((name) => name !== "restore-points").toSorted()).toEqual(before);
    const second = await startTestServer({ dataDir: world.server.dataDir });
    const back = await signInAgain(second, world.person);
    expect((await getTranscription(back, late.id)).title).toBe("after the backup");
  });

  test("refuses to start after an interrupted restore until the restore is undone", async () => {
    const world = await setUp();
    const late = await save(world.person, { title: "after the backup", text: "one two" });
    await world.server.close();
    const { dataDir } = world.server;
    const journal = join(dataDir, ".restore.json");
    const copy = await temporaryFolder();
    // As if the process had died before deleting its journal.
    await restored(world, { check: () => copyFile(journal, join(copy, "journal")) });
    await copyFile(join(copy, "journal"), journal);
    await mkdir(join(dataDir, ".restore-new"), { recursive: true });
    await expect(openDataFolder(dataDir)).rejects.toThrow("--undo");
    expect(await undoRestore(dataDir, world.backupDir)).toBe(true);
    expect(await undoRestore(dataDir, world.backupDir)).toBe(false);
    const second = await startTestServer({ dataDir });
    const back = await signInAgain(second, world.person);
    expect((await getTranscription(back, late.id)).title).toBe("after the backup");
  });
});

test("accepts a time of day or a cron expression as backup schedule and refuses others", () => {
  const of = (BACKUP_SCHEDULE: string) => readConfig({ BACKUP_SCHEDULE }).backup.schedule;
  expect(of("03:30")).toBe("30 3 * * *");
  expect(of("0 4 * * 0")).toBe("0 4 * * 0");
  expect(() => of("25:00")).toThrow("BACKUP_SCHEDULE");
  expect(() => readConfig({ BACKUP_RECIPIENT: "ssh-ed25519 x" })).toThrow("BACKUP_RECIPIENT");
});

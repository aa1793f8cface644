import { rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { AdminBackups, AuditAnswer } from "#contract/index.ts";
import { backupName } from "#server/backup/format.ts";
import { listBackups } from "#server/backup/prune.ts";
import { openBackups } from "#server/backup/schedule.ts";
import { createLog } from "#server/log/log.ts";
import { timeLimit } from "#tests/fixtures/time-limit.ts";
import { openTestDb } from "#tests/server/database.ts";
import { eventually, read, refusal, startTestServer, temporaryFolder } from "#tests/server/harness.ts";
import { signUpSuperuser } from "#tests/server/superuser.ts";

// The processes that make backups have low priority, so they are slow on a busy machine.

const now = Date.parse("2026-03-01T12:00:00Z");
const program = fileURLToPath(new URL("../../../scripts/backup.ts", import.meta.url));
/** The longest time in ms that one backup may take. */
const untilMs = timeLimit(250_000);

test("makes a backup by npm run backup's program, on schedule and one at a time", async () => {
  const server = await startTestServer();
  const dir = await temporaryFolder();
  const env = { PARLANCE_DATA: server.dataDir, BACKUP_DIR: dir };
  await using db = await openTestDb(server.dataDir);
  const lines: string[] = [];
  const log = createLog("info", Date.now, (line) => void lines.push(line));
  const config = { schedule: "30 3 * * *", dir, recipient: undefined };
  const [one, other] = [0, 1].map(() => openBackups({ config, db, program, env, log }));
  // Both processes know that the backup is due.
  expect((await Promise.all([one?.runDue(1), other?.runDue(1)])).toSorted()).toEqual([false, true]);
  expect(await one?.runDue(1)).toBe(false);
  expect((await listBackups(dir)).length).toBe(1);
  const broken = openBackups({ config, db, program, env: { ...env, BACKUP_DIR: join(server.dataDir, "parlance.db") }, log });
  expect(await broken.runDue(2)).toBe(false);
  expect(lines.at(-1)).toContain("backup failed");
  await broken.close();
  await one?.close();
  await other?.close();
});

describe("superuser's backup", () => {
  /** Where backups go, for the server and for the processes that it starts. */
  async function setUpAdmin() {
    const dir = await temporaryFolder();
    const server = await startTestServer({ env: { BACKUP_DIR: dir, BACKUP_SCHEDULE: "03:30" } });
    const person = await signUpSuperuser(server);
    const view = async () => read(await person.call("GET", "/admin/backups"), 200, AdminBackups);
    const untilEnded = () => eventually(view, ({ running }) => running === null, untilMs);
    return { dir, server, person, view, untilEnded };
  }

  test("a superuser's backup shows its progress and its restore command, and appears in the audit log", async () => {
    const { dir, person, view, untilEnded } = await setUpAdmin();
    expect(await view()).toMatchObject({ backups: [], running: null, failure: null, keep: 7, folder: dir, files: "folder" });
    const begun = await read(await person.call("POST", "/admin/backups"), 202, AdminBackups);
    expect(begun.running).toMatchObject({ phase: "database" });
    expect(await refusal(await person.call("POST", "/admin/backups"))).toBe("409 conflict");
    const { backups, nextAt } = await untilEnded();
    const [name = ""] = await listBackups(dir);
    expect(backups).toMatchObject([{ name, folder: dir, isEncrypted: false, command: `npm run restore -- ${join(dir, name)}` }]);
    expect(backups[0]?.size).toBeGreaterThan(1_000);
    expect(backups[0]?.checkedAt).not.toBeNull();
    expect(nextAt).toMatch(/T03:30:00/);
    const { entries } = await read(await person.call("GET", "/admin/audit"), 200, AuditAnswer);
    expect(entries[0]).toMatchObject({ action: "makeBackup", reason: name });
  });

  test("shows why a backup failed until the next one, and marks a copied backup as not verified", async () => {
    const { dir, person, view, untilEnded } = await setUpAdmin();
    // A file is where the folder should be.
    await rename(dir, `${dir}-away`);
    await writeFile(dir, "");
    await person.call("POST", "/admin/backups");
    expect((await untilEnded()).failure?.message).toContain("EEXIST");
    await rm(dir);
    await rename(`${dir}-away`, dir);
    await writeFile(join(dir, backupName(now, true)), "0123456789");
    expect(await view()).toMatchObject({ backups: [{ checkedAt: null, size: 10, isEncrypted: true }] });
    await person.call("POST", "/admin/backups");
    const { failure, backups } = await untilEnded();
    expect(failure).toBeNull();
    expect(backups.map(({ checkedAt }) => checkedAt !== null)).toEqual([true, false]);
  });
});

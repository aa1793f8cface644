import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import type { BackupPhase } from "#contract/index.ts";
import type { Db } from "#server/db/open.ts";
import { Problem } from "#server/errors/problem.ts";
import type { BackupConfig } from "./config.ts";
import { backupName } from "./format.ts";
import { listBackups } from "./prune.ts";
import {
  type BackupRow,
  changeRunning,
  deleteFailedBefore,
  deleteFinishedBackups,
  endRunning,
  findDue,
  findRunning,
  insertRun,
  listRuns,
} from "./queries.ts";

// The database's records of backups: only one is made at a time among all processes, and each shows its progress.

/** A process that is silent for this long does not make its backup any more (milliseconds). */
const silentMs = 60_000;
/** The ms between a backup's signs of life, which include its progress. */
const beatMs = 5_000;
const progressMs = 500;
/** The ms for which failures are stored. */
const failureMs = 30 * 24 * 60 * 60 * 1000;
/** The maximum characters of a stored error. */
const maxMessage = 500;

export const thisHost: string = hostname();

interface Wanted {
  config: Pick<BackupConfig, "dir" | "recipient">;
  /** Epoch ms. */
  now: number;
  /** When the schedule wants it, which every process knows. */
  dueAt?: number;
}

/**
 * Starts a backup, unless another process has started the due one.
 * @returns undefined: another process has
 * @throws Problem `conflict` while one is running
 */
export function beginRun(db: Db, { config, now, dueAt }: Wanted): Promise<BackupRow | undefined> {
  return db.transaction().execute(async (t) => {
    if (dueAt !== undefined && (await findDue(t, dueAt)) !== undefined) return undefined;
    const running = await findRunning(t);
    if (running !== undefined && now - running.beat_at < silentMs) {
      throw new Problem("conflict", "A backup is already running.");
    }
    await endRunning(t, { outcome: "failed", finished_at: now, message: "The process ended before the backup was complete." });
    await deleteFailedBefore(t, now - failureMs);
    const row: BackupRow = {
      id: randomUUID(),
      name: backupName(now, config.recipient !== undefined),
      host: thisHost,
      folder: config.dir,
      due_at: dueAt ?? null,
      started_at: now,
      beat_at: now,
      finished_at: null,
      outcome: "running",
      phase: "database",
      done: 0,
      size: null,
      message: "",
    };
    await insertRun(t, row);
    return row;
  });
}

/** Records a backup's progress and a sign of life, until it is closed. Failed updates are skipped. */
export function reportRun(db: Db, { id }: Pick<BackupRow, "id">, now: () => number) {
  let [phase, done, saidAt]: [BackupPhase, number, number] = ["database", 0, 0];
  let saying: Promise<void> = Promise.resolve();
  const say = () => {
    saidAt = now();
    const change = { phase, done, beat_at: saidAt };
    saying = saying.then(() => changeRunning(db, id, change)).catch(() => undefined);
  };
  const timer = setInterval(say, beatMs);
  return {
    onProgress: (newPhase: BackupPhase, newDone: number) => {
      const isNew = newPhase !== phase;
      [phase, done] = [newPhase, newDone];
      if (isNew || now() - saidAt >= progressMs) say();
    },
    [Symbol.asyncDispose]: async () => {
      clearInterval(timer);
      await saying;
    },
  };
}

export function finishBackup(db: Db, { id }: Pick<BackupRow, "id">, { now, size }: { now: number; size: number }): Promise<void> {
  return changeRunning(db, id, { outcome: "made", finished_at: now, beat_at: now, size });
}

export function endFailed(
  db: Db,
  { id }: Pick<BackupRow, "id">,
  { now, message }: { now: number; message: string },
): Promise<void> {
  const said = message.trim().slice(0, maxMessage);
  return changeRunning(db, id, { outcome: "failed", finished_at: now, beat_at: now, message: said });
}

/** Removes the rows of the backups of this machine's folder whose files are gone. */
export async function removeDeleted(db: Db, folder: string): Promise<void> {
  const there = new Set(await listBackups(folder));
  const made = (await listRuns(db)).filter(
    (run) => run.outcome === "made" && run.host === thisHost && run.folder === folder && !there.has(run.name),
  );
  await deleteFinishedBackups(db, { host: thisHost, folder, names: made.map(({ name }) => name) });
}

/** Whether a backup that is recorded as running really is. */
export const isUnderWay = (run: BackupRow, now: number): boolean => run.outcome === "running" && now - run.beat_at < silentMs;

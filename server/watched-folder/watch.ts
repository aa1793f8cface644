import { inTurn, type Locks } from "#server/cluster/locks.ts";
import type { DbParts } from "#server/db/open.ts";
import { Problem } from "#server/errors/problem.ts";
import { describeError, type Log } from "#server/log/log.ts";
import type { Threads } from "#server/threads/threads.ts";
import { findTranscription } from "#server/transcription/queries.ts";
import { acceptFile } from "#server/uploads/accept-file.ts";
import type { UploadParts } from "#server/uploads/parts.ts";
import { findUserByEmail } from "#server/users/queries.ts";
import type { User } from "#server/users/tables.ts";
import { localFields, type Wishes } from "./fields.ts";
import { clientIdOf, type FoundFile, isSame, listRecordings, localFile } from "./files.ts";
import { changeWatchedFile, type KnownFile, listWatchedFiles, putWatchedFile } from "./queries.ts";
import { freeName, writeProblem, writeResults } from "./results.ts";

/** Poll interval (ms). Network drives send no notifications. */
const scanMs = 2_000;
/** A file that has not changed for this long is complete (ms). */
const steadyMs = 10_000;
/** Delay before a retry when a file can't be taken now, for lack of space or minutes (ms). */
const againMs = 10 * 60_000;

/** Reasons for which a file can never be taken. */
const lasting: ReadonlySet<string> = new Set(["tooLarge", "emptyFile", "languageUnavailable", "translationUnavailable"]);

/** The watched folder, and the options of its transcriptions. */
export interface WatchConfig extends Wishes {
  /** Absolute path. */
  folder: string;
  /** E-mail address of the account. */
  account: string;
}

interface WatchParts extends DbParts, Pick<UploadParts, "storage" | "engines" | "translator" | "worker" | "usage" | "quota"> {
  config: { maxUploadBytes: number };
  log: Log;
  locks: Locks;
  threads: Threads;
}

/** Replacements for tests. */
export interface WatchTimes {
  scanMs?: number;
  /** Called after each scan. */
  onScan?: () => void;
}

/**
 * Transcribes recordings that are put into a folder for one account, and writes their texts beside them. A file is
 * taken once it has not changed for a while, once per version; after a restart, the database knows what was taken.
 * Errors are written beside the file, too. Of several processes, one scans at a time.
 */
export function watchFolder(parts: WatchParts, watch: WatchConfig, times: WatchTimes = {}): { close(): Promise<void> } {
  const state: ScanState = { seen: new Map(), later: new Map(), told: new Map(), complaint: undefined };
  let scanning: Promise<void> | undefined;
  const closing = new AbortController();
  const scan = async () => {
    const complaint = await inTurn(parts.locks, "watch", () => scanOnce(parts, watch, state, closing.signal)).catch(describe);
    // The log contains neither the file's name nor the account's. It reports a problem once, not at every scan.
    if (complaint !== undefined && complaint !== state.complaint) parts.log.error("watched folder failed", { complaint });
    if (complaint === undefined && state.complaint !== undefined) parts.log.warn("watched folder available again");
    state.complaint = complaint;
    scanning = undefined;
    times.onScan?.();
  };
  // A slow scan (a large file, another process's turn) is followed by a single one, not by all that were due in the
  // meantime.
  const timer = setInterval(() => (scanning ??= scan()), times.scanMs ?? scanMs);
  return {
    close: async () => {
      clearInterval(timer);
      closing.abort();
      await scanning;
    },
  };
}

function describe(error: unknown): string {
  // The error's message contains a path, which is not for the log.
  if (error instanceof Error && "code" in error) return String(error.code);
  return String(describeError(error).error);
}

interface ScanState {
  /** Versions not taken yet, and since when they have not changed (epoch ms). */
  seen: Map<string, { file: FoundFile; since: number }>;
  /** When a failed file is tried again (epoch ms). */
  later: Map<string, number>;
  /** Messages already logged for a version. */
  told: Map<string, Set<string>>;
  complaint: string | undefined;
}

/** @returns the problem that keeps it from working */
async function scanOnce(
  parts: WatchParts,
  watch: WatchConfig,
  state: ScanState,
  closing: AbortSignal,
): Promise<string | undefined> {
  const user = await findUserByEmail(parts.db, watch.account);
  if (user === undefined) return "PARLANCE_WATCH_ACCOUNT: this account does not exist.";
  if (user.blocked_at !== null) return "PARLANCE_WATCH_ACCOUNT: this account is blocked.";
  const found = await listRecordings(watch.folder);
  const known = await listWatchedFiles(parts.db, user.id);
  retainOnly(state, found);
  for (const file of found) {
    if (closing.aborted) return undefined;
    const row = known.get(file.path);
    if (row !== undefined && isSame(file, { size: row.size, modifiedAt: row.modified_at })) {
      if (isDueNow(parts, state, file)) await bringResults(parts, user, state, row);
    } else if (isDue(parts, state, file)) await take({ ...parts, closing }, watch, user, state, file);
  }
  return undefined;
}

function retainOnly(state: ScanState, found: readonly FoundFile[]): void {
  const paths = new Set(found.map(({ path }) => path));
  for (const map of [state.seen, state.later, state.told]) for (const path of map.keys()) if (!paths.has(path)) map.delete(path);
}

/** Whether the file is complete, and not waiting for a retry. */
function isDue(parts: WatchParts, state: ScanState, file: FoundFile): boolean {
  const { seen, later, told } = state;
  const { now } = parts;
  const before = seen.get(file.path);
  // If the clock was set back, the waiting time starts again.
  if (before === undefined || !isSame(before.file, file) || now() < before.since) {
    seen.set(file.path, { file, since: now() });
    later.delete(file.path);
    told.delete(file.path);
    return false;
  }
  return now() - before.since >= steadyMs && isDueNow(parts, state, file);
}

const isDueNow = ({ now }: WatchParts, { later }: ScanState, { path }: FoundFile): boolean => now() >= (later.get(path) ?? 0);

/** The operator's remedies for errors of the file system. */
const remedies: Readonly<Record<string, string>> = {
  EACCES: "Give the server's user permission to read and write it.",
  EISDIR: "Rename the folder that has the same name.",
  EDQUOT: "Free some space on the disk.",
  ENAMETOOLONG: "Give the recording a shorter name, or move it to another folder.",
  ENOSPC: "Free some space on the disk.",
  EPERM: "Give the server's user permission to read and write it.",
  EROFS: "Mount the folder with write permission.",
};

/** Postpones a file, and logs the reason once per version, without the file's name. */
function setAside({ log, now }: WatchParts, { later, told }: ScanState, path: string, message: string, error: unknown): void {
  later.set(path, now() + againMs);
  const code = describe(error);
  const known = told.get(path) ?? new Set();
  if (!known.has(message + code)) log.warn(message, { code, remedy: remedies[code] });
  told.set(path, known.add(message + code));
}

async function take(
  parts: WatchParts & { closing: AbortSignal },
  watch: WatchConfig,
  user: User,
  state: ScanState,
  file: FoundFile,
): Promise<void> {
  const { db, now } = parts;
  const row = {
    path: file.path,
    user_id: user.id,
    size: file.size,
    modified_at: file.modifiedAt,
    results: null,
    found_at: now(),
  };
  try {
    const fields = localFields(parts, watch, file, clientIdOf(file));
    const { id } = await acceptFile(parts, user.id, fields, localFile(file, parts.config.maxUploadBytes, parts.closing));
    await putWatchedFile(db, { ...row, transcription_id: id, state: "taken" });
    state.seen.delete(file.path);
    parts.worker.wake();
  } catch (error) {
    if (parts.closing.aborted) return;
    const code = error instanceof Problem ? error.code : undefined;
    // The file was still being written.
    if (code === "interrupted") return void state.seen.delete(file.path);
    setAside(parts, state, file.path, "watched file not accepted", error);
    if (code === undefined) return;
    await tryToWrite(parts, state, file.path, () => writeProblem(file.path, { code }));
    if (lasting.has(code)) await putWatchedFile(db, { ...row, transcription_id: null, state: "refused" });
  }
}

/** Writes the outcome of a file that was taken. */
async function bringResults(
  parts: WatchParts,
  user: User,
  scan: ScanState,
  { path, state, transcription_id: id, results, status }: KnownFile,
): Promise<void> {
  if (id === null || state === "done" || state === "refused") return;
  const { db } = parts;
  // The user has deleted the transcription. To get it again, the file has to be put there anew.
  if (status === null) return changeWatchedFile(db, path, { state: "done" });
  const isNews = status === "completed" || (status === "failed" && state === "taken");
  if (!isNews) return;
  // Read only now, because the longest are 30 MB. If it has changed since the listing, the next scan finds that.
  const row = await findTranscription(db, user.id, id);
  if (row?.status === "completed") {
    const isWritten = await tryToWrite(parts, scan, path, async () => {
      // The name is stored before it is used: half-written results are written again, and no other file is ever
      // overwritten.
      const name = results ?? (await freeName(path));
      await changeWatchedFile(db, path, { results: name });
      await writeResults(parts, { row, path, name, language: user.language });
    });
    if (isWritten) await changeWatchedFile(db, path, { state: "done" });
  } else if (row?.status === "failed" && state === "taken") {
    const { error_code, error_message: message } = row;
    const isWritten = await tryToWrite(parts, scan, path, () => writeProblem(path, { code: error_code ?? "internal", message }));
    if (isWritten) await changeWatchedFile(db, path, { state: "failed" });
  }
}

/**
 * Writes in the folder. After a failure (read-only, full, gone), it is retried later. @returns whether it was written
 */
async function tryToWrite(parts: WatchParts, state: ScanState, path: string, write: () => Promise<void>): Promise<boolean> {
  try {
    await write();
    return true;
  } catch (error) {
    setAside(parts, state, path, "texts not written beside a watched file", error);
    return false;
  }
}

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

/** Between two looks (ms). Polled: what arrives on a network drive tells nobody. */
const scanMs = 2_000;
/** A file that has not changed for this long is whole (ms). */
const steadyMs = 10_000;
/** What can't be taken now, for want of space or minutes, is tried again after this (ms). */
const againMs = 10 * 60_000;

/** Why a file will never be taken, whenever it is tried. */
const lasting: ReadonlySet<string> = new Set(["tooLarge", "emptyFile", "languageUnavailable", "translationUnavailable"]);

/** What is watched, and how it is transcribed. */
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
 * Recordings that are put into a folder are transcribed for one account, and their texts are written beside them.
 * A file is taken when it has not changed for a while, once for each version; after a restart the database says what was taken. What goes
 * wrong is written beside it, too. Of several processes one looks at a time.
 */
export function watchFolder(parts: WatchParts, watch: WatchConfig, times: WatchTimes = {}): { close(): Promise<void> } {
  const state: ScanState = { seen: new Map(), later: new Map(), told: new Map(), complaint: undefined };
  let scanning: Promise<void> | undefined;
  const closing = new AbortController();
  const scan = async () => {
    const complaint = await inTurn(parts.locks, "watch", () => scanOnce(parts, watch, state, closing.signal)).catch(describe);
    // Neither its name nor the account's is for the log. Told once: not every other second.
    if (complaint !== undefined && complaint !== state.complaint) parts.log.error("watched folder", { complaint });
    if (complaint === undefined && state.complaint !== undefined) parts.log.warn("watched folder is there again");
    state.complaint = complaint;
    scanning = undefined;
    times.onScan?.();
  };
  // One that takes long (a large file, another process's turn) is followed by one, not by all that were due meanwhile.
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
  // The message has a path in it, which is not for the log.
  if (error instanceof Error && "code" in error) return String(error.code);
  return String(describeError(error).error);
}

interface ScanState {
  /** Versions that are not taken yet, and since when they have not changed (epoch ms). */
  seen: Map<string, { file: FoundFile; since: number }>;
  /** When what could not be taken, or written, is tried again (epoch ms). */
  later: Map<string, number>;
  /** What the log has said of a version already. */
  told: Map<string, Set<string>>;
  complaint: string | undefined;
}

/** @returns what keeps it from doing its work */
async function scanOnce(
  parts: WatchParts,
  watch: WatchConfig,
  state: ScanState,
  closing: AbortSignal,
): Promise<string | undefined> {
  const user = await findUserByEmail(parts.db, watch.account);
  if (user === undefined) return "PARLANCE_WATCH_ACCOUNT: there is no such account.";
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

/** Whether nobody writes it any more, and it is its time. */
function isDue(parts: WatchParts, state: ScanState, file: FoundFile): boolean {
  const { seen, later, told } = state;
  const { now } = parts;
  const before = seen.get(file.path);
  // A clock that was put back begins anew.
  if (before === undefined || !isSame(before.file, file) || now() < before.since) {
    seen.set(file.path, { file, since: now() });
    later.delete(file.path);
    told.delete(file.path);
    return false;
  }
  return now() - before.since >= steadyMs && isDueNow(parts, state, file);
}

const isDueNow = ({ now }: WatchParts, { later }: ScanState, { path }: FoundFile): boolean => now() >= (later.get(path) ?? 0);

/** What somebody can do about an error of the file system. */
const remedies: Readonly<Record<string, string>> = {
  EACCES: "Give the server's user the right to it.",
  EISDIR: "Move the folder that has its name.",
  EDQUOT: "Make room on the disk.",
  ENAMETOOLONG: "Give the recording a shorter name, or put it into another folder.",
  ENOSPC: "Make room on the disk.",
  EPERM: "Give the server's user the right to it.",
  EROFS: "Mount the folder so that it can be written.",
};

/** Sets something aside for a while, and says why: once for each version of a file, without its name. */
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
    // Somebody has gone on writing it.
    if (code === "interrupted") return void state.seen.delete(file.path);
    setAside(parts, state, file.path, "watched file was not taken", error);
    if (code === undefined) return;
    await tryToWrite(parts, state, file.path, () => writeProblem(file.path, { code }));
    if (lasting.has(code)) await putWatchedFile(db, { ...row, transcription_id: null, state: "refused" });
  }
}

/** Writes what has become of a file since it was taken. */
async function bringResults(
  parts: WatchParts,
  user: User,
  scan: ScanState,
  { path, state, transcription_id: id, results, status }: KnownFile,
): Promise<void> {
  if (id === null || state === "done" || state === "refused") return;
  const { db } = parts;
  // Deleted meanwhile, by the person that it belongs to: who wants it again puts it there anew.
  if (status === null) return changeWatchedFile(db, path, { state: "done" });
  const isNews = status === "completed" || (status === "failed" && state === "taken");
  if (!isNews) return;
  // Read only now: the longest are 30 MB. What has become of it since it was listed, the next scan finds.
  const row = await findTranscription(db, user.id, id);
  if (row?.status === "completed") {
    const isWritten = await tryToWrite(parts, scan, path, async () => {
      // Stored before it is used: what was half written is written again, and nothing of somebody else's is ever overwritten.
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

/** Writes in the folder; where that fails (read-only, full, gone), it is tried again after a while. @returns whether it was written */
async function tryToWrite(parts: WatchParts, state: ScanState, path: string, write: () => Promise<void>): Promise<boolean> {
  try {
    await write();
    return true;
  } catch (error) {
    setAside(parts, state, path, "nothing could be written beside a watched file", error);
    return false;
  }
}

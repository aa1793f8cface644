import { inTurn, type Locks } from "#server/cluster/locks.ts";
import type { Db } from "#server/db/open.ts";
import { findUnattachedRecordings } from "#server/dictation/queries.ts";
import { findJobs } from "#server/jobs/queries.ts";
import { describeError, type Log } from "#server/log/log.ts";
import { inGroups } from "#server/storage/in-groups.ts";
import { type Storage, type Stored, type StoredKind, storedKinds } from "#server/storage/storage.ts";
import { findTranscriptionIds } from "#server/transcription/queries.ts";
import { findUploadIds } from "#server/uploads/queries.ts";
import { sweepVaultFiles } from "#server/vault/sweep.ts";

/** A file without a row may belong to a row about to be written, so it stays for this long (ms). */
const orphanMs = 60 * 60 * 1000;
/** The number of files whose rows are looked up at once: neither a whole bucket nor a whole table is ever in memory. */
const portion = 500;

/** Kinds that are always on this machine. */
const local = ["jobs", "uploads"] as const satisfies readonly StoredKind[];

type Owners = (db: Db, ids: readonly string[]) => Promise<string[]>;

const owners: Record<StoredKind, Owners> = {
  // An upload's file is moved before its row is written.
  audio: async (db, ids) => [...(await findTranscriptionIds(db, ids)), ...(await findUploadIds(db, ids))],
  jobs: findJobs,
  live: findUnattachedRecordings,
  incoming: async () => [],
  uploads: findUploadIds,
};

interface Parts {
  db: Db;
  storage: Storage;
}

interface SweepOptions {
  kinds?: readonly StoredKind[];
  /** Ends it between two portions. */
  signal?: AbortSignal;
}

/** Deletes files that a crash has left without a row. */
async function sweepFiles({ db, storage }: Parts, { kinds = storedKinds, signal }: SweepOptions = {}): Promise<void> {
  for (const kind of kinds) {
    for await (const files of inGroups(storage.list(kind), portion)) {
      signal?.throwIfAborted();
      const old = files.filter(isOld);
      if (old.length === 0) continue;
      const ids = old.map(({ id }) => id);
      const known = new Set(await owners[kind](db, ids));
      for (const { id, remove } of old) if (!known.has(id)) await remove();
    }
  }
}

/** File times are the machine's, not those of the injected clock. */
const isOld = ({ touchedAt }: Stored) => touchedAt < Date.now() - orphanMs;

/** Sweeps only this machine's files, for a worker: the processes that answer requests sweep the bucket. */
export function sweepLocalFiles(parts: Parts): Promise<void> {
  return sweepFiles(parts, parts.storage.bucket === undefined ? {} : { kinds: local });
}

/**
 * The sweep at a start: this machine's files at once, a bucket in the background, one process at a time, because
 * listing a large one takes minutes.
 * @returns a function that ends it
 */
export async function sweepFilesAtStart(parts: Parts & { locks: Locks; log: Log }): Promise<() => Promise<void>> {
  const { storage, locks, log } = parts;
  if (storage.bucket === undefined) {
    await sweepFiles(parts);
    await sweepVaultFiles(parts);
    return async () => {};
  }
  await sweepLocalFiles(parts);
  const ending = new AbortController();
  const { signal } = ending;
  const sweeping = inTurn(locks, "sweep.files", async () => {
    signal.throwIfAborted();
    await sweepFiles(parts, { signal });
    await sweepVaultFiles(parts, signal);
  }).catch((error: unknown) => {
    if (!signal.aborted) log.error("sweep of files failed", describeError(error));
  });
  return async () => {
    ending.abort();
    await sweeping;
  };
}

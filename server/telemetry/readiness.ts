import { randomBytes } from "node:crypto";
import { open, rm } from "node:fs/promises";
import { join } from "node:path";
import { askDb, type Db } from "#server/db/open.ts";
import { isDiskFull } from "#server/errors/problem.ts";
import { describeError, type Log } from "#server/log/log.ts";

/** How long an answer is cached (milliseconds): frequent requests must not cost a disk write each. */
const goodForMs = 1_000;
/** Timeout of a check (milliseconds). */
const timeoutMs = 3_000;

/** One condition of readiness. */
export interface Check {
  /** The reason when the check fails, in words and without secrets. */
  complaint: string;
  /** @throws, or resolves to false, when the check fails */
  holds(signal: AbortSignal): Promise<boolean>;
}

export interface Readiness {
  /** Whether this process can take work: one sentence for each reason against it. */
  reasons(): Promise<readonly string[]>;
  /** Marks the process as stopping: from now on it is not ready. */
  drain(): void;
  readonly isDraining: boolean;
}

/** @param now epoch ms; only differences count */
export function createReadiness(checks: readonly Check[], log: Log, now: () => number = () => performance.now()): Readiness {
  let draining = false;
  let known: { at: number; reasons: Promise<readonly string[]> } | undefined;
  const ask = async () => {
    const failed = await Promise.all(checks.map(async (check) => ((await holds(check, log)) ? [] : [check.complaint])));
    return failed.flat();
  };
  return {
    reasons: async () => {
      if (draining) return ["The server is stopping."];
      if (known === undefined || now() - known.at >= goodForMs) known = { at: now(), reasons: ask() };
      return known.reasons;
    },
    drain: () => {
      draining = true;
    },
    get isDraining() {
      return draining;
    },
  };
}

async function holds(check: Check, log: Log): Promise<boolean> {
  const late = AbortSignal.timeout(timeoutMs);
  const tooLate = new Promise<never>((_, reject) => {
    late.addEventListener("abort", () => reject(late.reason), { once: true });
  });
  try {
    return await Promise.race([check.holds(late), tooLate]);
  } catch (error) {
    log.warn("not ready", { complaint: check.complaint, ...describeError(error) });
    return false;
  }
}

interface Checked {
  db: Db;
  dataDir: string;
  canRecognize: () => boolean;
  /** The bucket, if files are not in the data folder. @throws when it does not answer */
  bucket: { ping(signal: AbortSignal): Promise<void> } | undefined;
}

/**
 * The checks of every role: database and bucket answer, the data folder is writable, an engine can recognize speech.
 */
export function commonChecks({ db, dataDir, canRecognize, bucket }: Checked): Check[] {
  const bucketChecks: Check[] =
    bucket === undefined
      ? []
      : [
          {
            complaint: "The bucket does not answer.",
            // Nothing is written to it: a versioned bucket would keep an object of each check.
            holds: async (signal) => {
              await bucket.ping(signal);
              return true;
            },
          },
        ];
  return [
    ...bucketChecks,
    {
      complaint: "The database does not answer.",
      holds: async () => {
        await askDb(db);
        return true;
      },
    },
    { complaint: "The storage can't be written.", holds: async () => isWritable(dataDir) },
    { complaint: "No speech engine is available.", holds: async () => canRecognize() },
  ];
}

/** Writes a few bytes to disk. @throws disk errors except a full disk */
async function isWritable(folder: string): Promise<boolean> {
  const path = join(folder, `.ready-${randomBytes(6).toString("hex")}`);
  try {
    await using file = await open(path, "wx", 0o600);
    await file.writeFile("ready");
    await file.datasync();
    return true;
  } catch (error) {
    if (isDiskFull(error)) return false;
    throw error;
  } finally {
    await rm(path, { force: true });
  }
}

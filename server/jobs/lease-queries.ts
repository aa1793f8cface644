import type { Segment } from "#contract/index.ts";
import type { Db } from "#server/db/open.ts";
import type { PieceRow } from "./piece-queries.ts";
import { reserved, sharing } from "./sharing.ts";

// Who hears which piece of a job at the moment. The worker that has the job hears most of them, and takes every lease itself as others do.

/** A piece of a job. */
export interface PieceKey {
  id: string;
  idx: number;
}

interface Lease {
  /** The job's. */
  id: string;
  worker: string;
  /** When it ends without a heartbeat (epoch ms). */
  leaseUntil: number;
  /** The job is another worker's, which shares it. */
  isHelp: boolean;
}

/** Leases the next piece of a job that nobody hears; undefined when there is none (for this worker). */
export async function leasePiece(db: Db, { id, worker, leaseUntil, isHelp }: Lease): Promise<PieceRow | undefined> {
  const free = () =>
    db
      .selectFrom("pieces")
      .where("pieces.transcription_id", "=", id)
      .where("pieces.done", "=", 0)
      .where("pieces.worker_id", "is", null)
      .$if(isHelp, (pieces) => pieces.where("pieces.reserved", "=", reserved.forNobody).where(({ exists }) => exists(offered())));
  const offered = () =>
    db
      .selectFrom("jobs")
      .select("jobs.transcription_id")
      .where("jobs.transcription_id", "=", id)
      .where("jobs.worker_id", "is not", null)
      .where("jobs.paused", "=", 0)
      .where("jobs.shared", "=", sharing.offered);
  for (;;) {
    const next = await free()
      .select("pieces.idx")
      .orderBy("pieces.reserved", "desc")
      .orderBy("pieces.idx")
      .limit(1)
      .executeTakeFirst();
    if (next === undefined) return undefined;
    const leased = await db
      .updateTable("pieces")
      .set({ worker_id: worker, lease_until: leaseUntil })
      .where("transcription_id", "=", id)
      .where("idx", "=", next.idx)
      .where("done", "=", 0)
      .where("worker_id", "is", null)
      .$if(isHelp, (pieces) => pieces.where(({ exists }) => exists(offered())))
      .returningAll()
      .executeTakeFirst();
    // Otherwise another worker was faster.
    if (leased !== undefined) return leased;
  }
}

/** Stores what was heard in a piece; false when somebody else has it by now: then nothing is stored. */
export async function finishPiece(db: Db, { id, idx }: PieceKey, worker: string, segments: readonly Segment[]): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable("pieces")
    .set({ done: 1, segments: JSON.stringify(segments), reserved: reserved.forNobody, ...unleased })
    .where("transcription_id", "=", id)
    .where("idx", "=", idx)
    .where("done", "=", 0)
    .where("worker_id", "=", worker)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Renews a worker's leases. @returns those that are still its own: the job of the others has ended, is paused or waits again */
export function keepPieces(db: Db, worker: string, leaseUntil: number): Promise<PieceKey[]> {
  return db
    .updateTable("pieces")
    .set({ lease_until: leaseUntil })
    .where("worker_id", "=", worker)
    .where("transcription_id", "in", ({ selectFrom }) =>
      selectFrom("jobs").select("transcription_id").where("worker_id", "is not", null).where("paused", "=", 0),
    )
    .returning(["transcription_id as id", "idx"])
    .execute();
}

/** Hands a piece back. @param by who may hear it from now on */
export async function releasePiece(
  db: Db,
  { id, idx }: PieceKey,
  worker: string,
  by: (typeof reserved)[keyof typeof reserved],
): Promise<void> {
  await db
    .updateTable("pieces")
    .set({ ...unleased, reserved: by })
    .where("transcription_id", "=", id)
    .where("idx", "=", idx)
    .where("worker_id", "=", worker)
    .execute();
}

/** Hands back all pieces of a worker that has ended without dying of one. */
export async function releasePiecesOf(db: Db, worker: string): Promise<void> {
  await db.updateTable("pieces").set(unleased).where("worker_id", "=", worker).execute();
}

/** Takes the pieces of a job from everybody who may still be at one: what they hear is not stored. */
export async function takeBackPieces(db: Db, id: string): Promise<void> {
  await db.updateTable("pieces").set(unleased).where("transcription_id", "=", id).where("worker_id", "is not", null).execute();
}

/** The workers that have pieces of a job which nobody has finished yet; undefined when all are finished. "": nobody has one. */
export async function whoHearsRest(db: Db, id: string): Promise<ReadonlySet<string> | undefined> {
  const rest = await db
    .selectFrom("pieces")
    .select("worker_id")
    .distinct()
    .where("transcription_id", "=", id)
    .where("done", "=", 0)
    .execute();
  return rest.length === 0 ? undefined : new Set(rest.map(({ worker_id }) => worker_id ?? ""));
}

/** Whether there is a piece at which a worker has died, and which nobody has heard since. */
export async function hasSuspectPiece(db: Db, id: string): Promise<boolean> {
  const found = await db
    .selectFrom("pieces")
    .select("idx")
    .where("transcription_id", "=", id)
    .where("done", "=", 0)
    .where("reserved", "=", reserved.asSuspect)
    .limit(1)
    .executeTakeFirst();
  return found !== undefined;
}

/** Heard by nobody. */
export const unleased = { worker_id: null, lease_until: null } as const;
/** A job is free again, and heard by nobody; a message queue has to be told. */
export const unclaimed = { ...unleased, sent: 0, shared: 0, heard_as: null } as const;

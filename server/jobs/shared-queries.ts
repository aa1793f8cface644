import { sql } from "kysely";
import type { Db } from "#server/db/open.ts";
import { blockedTranscriptions } from "./claim-queries.ts";
import { reserved, sharing } from "./sharing.ts";

/** How many jobs a worker that has nothing to do looks at. */
const lookedAt = 20;

/** A job that another worker is at. */
export interface ShareableJob {
  id: string;
  shared: number;
  heardAs: string;
  /** Pieces that nobody has begun, and everybody may. */
  free: number;
}

/**
 * The jobs of other workers of which somebody else could hear a piece: those of the person first of whom the fewest pieces are being
 * heard, on all machines together; then by their turns.
 * @param now epoch ms
 */
export async function listShareable(db: Db, worker: string, now: number): Promise<ShareableJob[]> {
  const rows = await db
    .selectFrom("jobs")
    .innerJoin("transcriptions", "transcriptions.id", "jobs.transcription_id")
    .select(["jobs.transcription_id as id", "jobs.shared", "jobs.heard_as"])
    .select(({ selectFrom }) => [
      selectFrom("pieces")
        .whereRef("pieces.transcription_id", "=", "jobs.transcription_id")
        .where("pieces.done", "=", 0)
        .where("pieces.worker_id", "is", null)
        .where("pieces.reserved", "=", reserved.forNobody)
        .select(({ fn }) => fn.countAll<number>().as("count"))
        .as("free"),
      selectFrom("pieces as heard")
        .innerJoin("transcriptions as theirs", "theirs.id", "heard.transcription_id")
        .whereRef("theirs.user_id", "=", "transcriptions.user_id")
        .where("heard.worker_id", "is not", null)
        .select(({ fn }) => fn.countAll<number>().as("count"))
        .as("under_way"),
    ])
    .where("jobs.worker_id", "is not", null)
    .where("jobs.worker_id", "!=", worker)
    .where("jobs.lease_until", ">", now)
    .where("jobs.paused", "=", 0)
    .where("jobs.suspect", "=", 0)
    .where("jobs.heard_as", "is not", null)
    .where("jobs.transcription_id", "not in", blockedTranscriptions)
    .orderBy(sql`under_way`)
    .orderBy("jobs.urgent", "desc")
    .orderBy("jobs.turn")
    .orderBy("jobs.created_at")
    .limit(lookedAt)
    .execute();
  return rows.flatMap(({ id, shared, heard_as, free }) => {
    const count = Number(free ?? 0);
    return heard_as === null || count === 0 ? [] : [{ id, shared, heardAs: heard_as, free: count }];
  });
}

/** Its worker says how it hears: who hears in the same way may take pieces when the job is shared. */
export async function noteHeardAs(db: Db, id: string, worker: string, heardAs: string): Promise<void> {
  await db
    .updateTable("jobs")
    .set({ heard_as: heardAs })
    .where("transcription_id", "=", id)
    .where("worker_id", "=", worker)
    .execute();
}

/** Another worker asks for pieces. */
export async function askToShare(db: Db, id: string): Promise<void> {
  await db
    .updateTable("jobs")
    .set({ shared: sharing.wanted })
    .where("transcription_id", "=", id)
    .where("worker_id", "is not", null)
    .where("shared", "=", sharing.not)
    .execute();
}

/** Its worker offers pieces: its decoded audio can be read by all. */
export async function offerPieces(db: Db, id: string, worker: string): Promise<void> {
  await db
    .updateTable("jobs")
    .set({ shared: sharing.offered })
    .where("transcription_id", "=", id)
    .where("worker_id", "=", worker)
    .execute();
}

import { randomUUID } from "node:crypto";
import { type Selectable, sql, type Updateable } from "kysely";
import { noteChange } from "#server/db/changes.ts";
import type { Db } from "#server/db/open.ts";
import { affectsAny, countRows } from "#server/db/results.ts";
import type { VideoKind } from "#server/storage/storage.ts";
import type { VideoTable } from "./tables.ts";

export type VideoRow = Selectable<VideoTable>;

interface Of {
  transcription_id: string;
  kind: VideoKind;
}

/** The state of a recording's picture, and the requested video with captions. */
export function listVideos(db: Db, transcriptionId: string): Promise<VideoRow[]> {
  return db.selectFrom("videos").selectAll().where("transcription_id", "=", transcriptionId).execute();
}

export function findVideo(db: Db, { transcription_id, kind }: Of): Promise<VideoRow | undefined> {
  return db
    .selectFrom("videos")
    .selectAll()
    .where((eb) => eb.and({ transcription_id, kind }))
    .executeTakeFirst();
}

/** Initial columns of every row. */
const begun = {
  content: null,
  language: null,
  problem: null,
  fraction: 0,
  undrawn: 0,
  attempts: 0,
  run: null,
  finished_at: null,
} as const;

type NewVideo = Of & Pick<VideoRow, "user_id" | "state" | "asked_at"> & Partial<Pick<VideoRow, "content" | "language">>;

/** Replaces a row. Call it in a transaction. */
export async function putVideo(t: Db, row: NewVideo): Promise<void> {
  const fresh = { ...begun, ...row, next_at: row.asked_at };
  await t
    .insertInto("videos")
    .values(fresh)
    .onConflict((conflict) => conflict.columns(["transcription_id", "kind"]).doUpdateSet(fresh))
    .execute();
  noteChange(t, "videos.changed");
}

/** @returns whether there was a row */
export async function deleteVideo(t: Db, { transcription_id, kind }: Of): Promise<boolean> {
  const { numDeletedRows } = await t
    .deleteFrom("videos")
    .where((eb) => eb.and({ transcription_id, kind }))
    .executeTakeFirst();
  noteChange(t, "videos.changed");
  return numDeletedRows > 0n;
}

/** A user's videos with captions that wait or are being made, for other transcriptions. */
export function countCaptioning(t: Db, userId: string, besides: string): Promise<number> {
  return countRows(
    t
      .selectFrom("videos")
      .where((eb) => eb.and({ user_id: userId, kind: "captioned" }))
      .where("state", "in", ["waiting", "making"])
      .where("transcription_id", "!=", besides),
  );
}

/** Most attempts: a file that has killed its process three times would do so again. */
export const maxAttempts = 3;

/**
 * Leases the next due video. Users whose last video is longest ago come first, and no user has two made at once.
 * @param leaseUntil when another process may take over, epoch ms
 * @returns the current row, whose `attempts` include this one; undefined when nothing is due
 */
export async function claimVideo(
  db: Db,
  { now, leaseUntil }: { now: number; leaseUntil: number },
): Promise<VideoRow | undefined> {
  for (;;) {
    const due = await findDue(db, now);
    if (due === undefined) return undefined;
    const claimed = await db
      .updateTable("videos")
      .set({ state: "making", next_at: leaseUntil, attempts: due.attempts + 1, run: randomUUID() })
      .where((eb) =>
        eb.and({ transcription_id: due.transcription_id, kind: due.kind, next_at: due.next_at, attempts: due.attempts }),
      )
      .where("state", "in", ["waiting", "making"])
      .returningAll()
      .executeTakeFirst();
    if (claimed !== undefined) return claimed;
  }
}

function findDue(db: Db, now: number) {
  return db
    .selectFrom("videos")
    .innerJoin("transcriptions", "transcriptions.id", "videos.transcription_id")
    .innerJoin("users", "users.id", "videos.user_id")
    .select(["videos.transcription_id", "videos.kind", "videos.next_at", "videos.attempts"])
    .where("videos.state", "in", ["waiting", "making"])
    .where("videos.next_at", "<=", now)
    .where("transcriptions.audio_type", "is not", null)
    .where("transcriptions.deleted_at", "is", null)
    .where("users.blocked_at", "is", null)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom("videos as others")
            .select("others.kind")
            .whereRef("others.user_id", "=", "videos.user_id")
            .where("others.state", "=", "making")
            .where("others.next_at", ">", now),
        ),
      ),
    )
    .orderBy(sql`coalesce((select max(past.finished_at) from videos as past where past.user_id = videos.user_id), 0)`)
    .orderBy("videos.asked_at")
    .limit(1)
    .executeTakeFirst();
}

/** Identifies the attempt that holds the lease. */
type Lease = Of & Pick<VideoRow, "run">;

/**
 * Changes the video that this process is making.
 * @returns false when this process has lost it: canceled, requested again, erased, or taken over by another process
 */
export function changeMaking(t: Db, lease: Lease, change: Updateable<VideoTable>): Promise<boolean> {
  return affectsAny(
    t
      .updateTable("videos")
      .set(change)
      .where((eb) => eb.and({ transcription_id: lease.transcription_id, kind: lease.kind, state: "making" }))
      .where("run", "=", lease.run),
  );
}

/** Videos with captions that were finished before a time (epoch ms). */
export function listPastCaptioned(db: Db, before: number, limit: number): Promise<VideoRow[]> {
  return db
    .selectFrom("videos")
    .selectAll()
    .where("kind", "=", "captioned")
    .where("finished_at", "<", before)
    .orderBy("finished_at")
    .limit(limit)
    .execute();
}

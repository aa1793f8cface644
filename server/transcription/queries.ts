import { randomUUID } from "node:crypto";
import type { Selectable, Updateable } from "kysely";
import { type EndedTranscription, type Origin, titleKey, type WebhookEvent } from "#contract/index.ts";
import { folded } from "#contract/search/terms.ts";
import { noteChange } from "#server/db/changes.ts";
import type { Db } from "#server/db/open.ts";
import { findsAny, idsOf } from "#server/db/results.ts";
import { inTransaction } from "#server/db/transaction.ts";
import { addAudioSize, removeAudioSize } from "#server/subscription/storage-queries.ts";
import type { TranscriptionTable } from "./tables.ts";

export type TranscriptionRow = Selectable<TranscriptionTable>;
/** Options of a transcription request. */
type Wishes = Pick<TranscriptionRow, "vocabulary" | "speakers" | "speaker_count" | "track">;
/** Columns that a new transcription does not have. */
type Later = "hidden_translations" | "tracks" | "holes";
/** Columns derived from its texts. */
type Derived = "haystack" | "weight" | "title_key";
/** Columns for the sweep of the trash only (trash.ts). */
type Erasure = "erasing" | "doomed_at";
export type TranscriptionChange = Omit<Updateable<TranscriptionTable>, "id" | "user_id" | "revision" | Derived>;

export type NewTranscription = Omit<TranscriptionRow, Derived | "revision" | Erasure | Later | keyof Wishes> & Partial<Wishes>;

/** Moves it to the trash. @param at epoch ms */
export const trashed = (at: number) => ({ deleted_at: at, doomed_at: null, erasing: 0 });
/** Deletes it for all users; the next sweep erases it. @param at epoch ms */
export const erased = (at: number) => ({ deleted_at: at, doomed_at: null, erasing: 1 });
/** Marks it as empty, with nothing for the trash to show. @param at epoch ms */
export const emptied = (at: number) => ({ deleted_at: at, doomed_at: null, erasing: 2 });
/** Restores it from the trash. */
export const restored = { deleted_at: null, doomed_at: null, erasing: 0 } as const;

/** Constant columns of a pending transcription. */
export const waitingToBeMade = {
  text: "",
  translated_text: "",
  status: "processing",
  duration_seconds: null,
  engine: null,
  segments: "[]",
  stage: "waiting",
  fraction: 0,
  seconds_left: null,
  error_code: null,
  error_message: null,
  deleted_at: null,
} as const;

/**
 * Adds a row; call it in a transaction.
 * @param audioBytes size of its audio, if it has one
 * @returns undefined when this user already has one with the same client id
 */
export async function insertTranscription(t: Db, row: NewTranscription, audioBytes = 0): Promise<TranscriptionRow | undefined> {
  const inserted = await t
    .insertInto("transcriptions")
    .values({ ...row, ...derivedOf(row), revision: await nextRevision(t, row.user_id) })
    .onConflict((conflict) => conflict.columns(["user_id", "client_id"]).doNothing())
    .returningAll()
    .executeTakeFirst();
  if (inserted === undefined) return undefined;
  if (inserted.audio_type !== null) await addAudioSize(t, inserted.id, audioBytes);
  await noteForSearch(t, inserted);
  await noteEnding(t, inserted, undefined);
  return inserted;
}

/**
 * Updates a row and increments its revision, so that event streams see it.
 * @returns the row afterwards; undefined when it does not exist
 */
export async function changeTranscription(
  db: Db,
  id: string,
  change: TranscriptionChange,
): Promise<TranscriptionRow | undefined> {
  return inTransaction(db, async (t) => {
    const before = await t
      .selectFrom("transcriptions")
      .select(["user_id", "status", "audio_type"])
      .where("id", "=", id)
      .executeTakeFirst();
    if (before === undefined) return undefined;
    if (isSearched(change)) await noteForSearch(t, { id, user_id: before.user_id });
    const after = await t
      .updateTable("transcriptions")
      .set({ ...change, ...(await derived(t, id, change)), revision: await nextRevision(t, before.user_id) })
      .where("id", "=", id)
      .returningAll()
      .executeTakeFirst();
    if (after === undefined) return undefined;
    await noteAudio(t, before, after);
    await noteEnding(t, after, before.status);
    noteHiding(t, change);
    return after;
  });
}

/** Ends every response about a transcription that is deleted or loses its recording. */
export function noteHiding(t: Db, { deleted_at, audio_type }: TranscriptionChange): void {
  if (typeof deleted_at === "number" || audio_type === null) noteChange(t, "rights.ended");
}

/**
 * Updates a row that was read before (compare-and-set). It is not read again, because the longest are 30 MB.
 * @returns undefined when the row has changed since
 */
export async function changeKnown(
  db: Db,
  before: TranscriptionRow,
  change: TranscriptionChange,
): Promise<TranscriptionRow | undefined> {
  return inTransaction(db, async (t) => {
    const current = await t.selectFrom("transcriptions").select("revision").where("id", "=", before.id).executeTakeFirst();
    if (current?.revision !== before.revision) return undefined;
    const changed = { ...change, ...(hasTexts(change) ? derivedOf({ ...before, ...change }) : {}) };
    const revision = await nextRevision(t, before.user_id);
    if (isSearched(change)) await noteForSearch(t, before);
    await t
      .updateTable("transcriptions")
      .set({ ...changed, revision })
      .where("id", "=", before.id)
      .execute();
    noteHiding(t, change);
    const after = { ...before, ...changed, revision };
    await noteAudio(t, before, after);
    await noteEnding(t, after, before.status);
    return after;
  });
}

/** Adds the row in `audio_sizes` that every transcription with audio has. */
async function noteAudio(
  t: Db,
  before: Pick<TranscriptionRow, "audio_type">,
  { id, audio_type }: Pick<TranscriptionRow, "id" | "audio_type">,
): Promise<void> {
  if (audio_type === null && before.audio_type !== null) await removeAudioSize(t, id);
  if (audio_type !== null && before.audio_type === null) await addAudioSize(t, id);
}

type Texts = Pick<TranscriptionRow, "title" | "text" | "translated_text" | "segments">;
const textColumns = ["title", "text", "translated_text", "segments"] as const;

const hasTexts = (change: TranscriptionChange): boolean => textColumns.some((column) => change[column] !== undefined);

/** Whether a change affects the search index. Transcriptions in progress are indexed only when they are finished. */
const isSearched = (change: TranscriptionChange): boolean =>
  hasTexts(change) || change.status !== undefined || change.date !== undefined || change.source_language !== undefined;

/** Marks it for the search index to read (again). Call it in the transaction that changes it. */
async function noteForSearch(t: Db, { id, user_id }: Pick<TranscriptionRow, "id" | "user_id">): Promise<void> {
  await t
    .insertInto("search_documents")
    .values({ transcription_id: id, user_id, date: 0, version: 1, indexed: 0 })
    .onConflict((conflict) =>
      conflict.column("transcription_id").doUpdateSet(({ eb }) => ({ version: eb("search_documents.version", "+", 1) })),
    )
    .execute();
}

/** Columns derived from the texts, if these change. */
async function derived(t: Db, id: string, change: TranscriptionChange) {
  if (!hasTexts(change)) return {};
  const before = await t.selectFrom("transcriptions").select(textColumns).where("id", "=", id).executeTakeFirstOrThrow();
  return derivedOf({ ...before, ...change });
}

/** One of this user's transcriptions; a deleted one only with `deleted`. */
export function findTranscription(db: Db, userId: string, id: string, options: { deleted?: boolean } = {}) {
  const query = db.selectFrom("transcriptions").selectAll().where("id", "=", id).where("user_id", "=", userId);
  return (options.deleted === true ? query : query.where("deleted_at", "is", null)).executeTakeFirst();
}

/** A transcription of any user, deleted or not. */
export function findTranscriptionOfAnybody(db: Db, id: string): Promise<TranscriptionRow | undefined> {
  return db.selectFrom("transcriptions").selectAll().where("id", "=", id).executeTakeFirst();
}

/** The same for an existing one. @throws the database's error when it does not exist */
export function getTranscription(db: Db, id: string): Promise<TranscriptionRow> {
  return db.selectFrom("transcriptions").selectAll().where("id", "=", id).executeTakeFirstOrThrow();
}

/** The ids that exist, including those in the trash. */
export function findTranscriptionIds(db: Db, ids: readonly string[]): Promise<string[]> {
  return idsOf(db.selectFrom("transcriptions").select("id").where("id", "in", ids));
}

/** Whether its row has audio. @param track if given, the transcript must also be of this sound track */
export async function hasSound(db: Db, id: string, track?: number | null): Promise<boolean> {
  const row = await db.selectFrom("transcriptions").select(["audio_type", "track"]).where("id", "=", id).executeTakeFirst();
  return row !== undefined && row.audio_type !== null && (track === undefined || row.track === track);
}

/** Whether it can be played: it is not deleted, and has audio. Does not read the texts, which are long. */
export async function isPlayable(db: Db, id: string): Promise<boolean> {
  const there = db.selectFrom("transcriptions").select("id").where("id", "=", id).where("deleted_at", "is", null);
  return findsAny(there.where("audio_type", "is not", null));
}

/** The content type of its audio; null when it has none. */
export async function findAudioType(db: Db, id: string): Promise<string | null> {
  const row = await db.selectFrom("transcriptions").select("audio_type").where("id", "=", id).executeTakeFirst();
  return row?.audio_type ?? null;
}

/** Includes deleted ones. @param userId default: all users' */
export function listTranscriptionIds(db: Db, userId?: string): Promise<string[]> {
  const all = db.selectFrom("transcriptions").select("id");
  return idsOf(userId === undefined ? all : all.where("user_id", "=", userId));
}

/** Purges it, with all dependent rows. */
export async function deleteTranscription(t: Db, id: string): Promise<void> {
  const gone = await t.deleteFrom("transcriptions").where("id", "=", id).returning("user_id").executeTakeFirst();
  if (gone === undefined) return;
  noteChange(t, "transcriptions.changed", gone.user_id);
  noteChange(t, "rights.ended");
}

export function findByClientId(db: Db, userId: string, clientId: string) {
  return db
    .selectFrom("transcriptions")
    .selectAll()
    .where((eb) => eb.and({ user_id: userId, client_id: clientId }))
    .executeTakeFirst();
}

/**
 * Increments the revision. Call it in the transaction that changes the row: event streams look for the change after the
 * commit.
 */
export async function nextRevision(t: Db, userId: string): Promise<number> {
  const { revision } = await t
    .updateTable("users")
    .set(({ eb }) => ({ revision: eb("revision", "+", 1) }))
    .where("id", "=", userId)
    .returning("revision")
    .executeTakeFirstOrThrow();
  noteChange(t, "transcriptions.changed", userId);
  return revision;
}

/** The search columns, folded here because the database can't fold, and their size (db/portions.ts). */
function derivedOf({ title, text, translated_text, segments }: Texts): Pick<TranscriptionRow, Derived> {
  // Folded texts contain no line feed, so no match spans two texts.
  const haystack = [title, text, translated_text].map(folded).join("\n");
  return {
    haystack,
    title_key: titleKey(title),
    weight: text.length + translated_text.length + haystack.length + segments.length,
  };
}

type Row = Pick<
  Selectable<TranscriptionTable>,
  "id" | "user_id" | "status" | "origin" | "source_language" | "target_language" | "duration_seconds" | "error_code"
>;

/**
 * Origins without a notification, because nobody waits: a turn appears as it is spoken, the sample as it is requested.
 */
const untold: ReadonlySet<Origin | null> = new Set<Origin | null>(["conversation", "sample"]);

/**
 * Notes that a transcription was completed or has failed, for notifications (webhooks/sender.ts). Call it in the
 * transaction that changes it, so that a rollback also removes the note.
 * @param before its status until now; undefined for a new one
 */
async function noteEnding(t: Db, row: Row, before: Row["status"] | undefined): Promise<void> {
  const event = eventOf(row.status);
  if (event === undefined || row.status === before || untold.has(row.origin)) return;
  const data: EndedTranscription = {
    id: row.id,
    origin: row.origin,
    sourceLanguage: row.source_language,
    targetLanguage: row.target_language,
    durationSeconds: row.duration_seconds,
    error: row.error_code,
  };
  await t
    .insertInto("endings")
    .values({ id: randomUUID(), user_id: row.user_id, transcription_id: row.id, event, data: JSON.stringify(data) })
    .execute();
  noteChange(t, "webhooks.due");
}

function eventOf(status: Row["status"]): WebhookEvent | undefined {
  if (status === "completed") return "transcription.completed";
  return status === "failed" ? "transcription.failed" : undefined;
}

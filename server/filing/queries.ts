import type { FilingAnswer, Folder, Tag } from "#contract/index.ts";
import { normalForm } from "#contract/normal-form.ts";
import type { Db } from "#server/db/open.ts";
import { affectsAny, countRows, idsOf } from "#server/db/results.ts";
import { nextRevision } from "#server/transcription/queries.ts";

/** The form in which two equal names are the same. */
const keyOf = (name: string): string => normalForm(name, "NFC").toLowerCase();

/** A person's folders and tags, by name. */
export async function listFiling(db: Db, userId: string): Promise<FilingAnswer> {
  const folders = await db
    .selectFrom("folders")
    .select(["id", "name"])
    .where("user_id", "=", userId)
    .orderBy("name_key")
    .execute();
  const tags = await db
    .selectFrom("tags")
    .select(["id", "name", "colour"])
    .where("user_id", "=", userId)
    .orderBy("name_key")
    .execute();
  return { folders, tags };
}

/** The revision at which a person's folders or tags have changed last; 0 when they never had any. */
export async function filingRevision(db: Db, userId: string): Promise<number> {
  const user = await db.selectFrom("users").select("filing_revision").where("id", "=", userId).executeTakeFirst();
  return user?.filing_revision ?? 0;
}

/** Notes that a person's folders or tags have changed; call it in the transaction that changes them. */
export async function noteFiling(t: Db, userId: string): Promise<void> {
  const revision = await nextRevision(t, userId);
  await t.updateTable("users").set({ filing_revision: revision }).where("id", "=", userId).execute();
}

type Kind = "folders" | "tags";

/** The number of a person's folders or tags. */
export function countNamed(t: Db, kind: Kind, userId: string): Promise<number> {
  return countRows(t.selectFrom(kind).where("user_id", "=", userId));
}

/** The person's folder or tag with this name, regardless of case. */
export function findNamed(t: Db, kind: Kind, userId: string, name: string): Promise<{ id: string } | undefined> {
  return t.selectFrom(kind).select("id").where("user_id", "=", userId).where("name_key", "=", keyOf(name)).executeTakeFirst();
}

export async function insertFolder(t: Db, userId: string, { id, name }: Folder): Promise<void> {
  await t
    .insertInto("folders")
    .values({ id, user_id: userId, name, name_key: keyOf(name) })
    .execute();
}

export async function insertTag(t: Db, userId: string, { id, name, colour }: Tag): Promise<void> {
  await t
    .insertInto("tags")
    .values({ id, user_id: userId, name, name_key: keyOf(name), colour })
    .execute();
}

/** @returns whether the person has it */
export function updateFolder(t: Db, userId: string, { id, name }: Folder): Promise<boolean> {
  return affectsAny(
    t
      .updateTable("folders")
      .set({ name, name_key: keyOf(name) })
      .where((eb) => eb.and({ id, user_id: userId })),
  );
}

/** @returns whether the person has it */
export function updateTag(t: Db, userId: string, { id, name, colour }: Tag): Promise<boolean> {
  return affectsAny(
    t
      .updateTable("tags")
      .set({ name, name_key: keyOf(name), colour })
      .where((eb) => eb.and({ id, user_id: userId })),
  );
}

/**
 * Deletes a folder or tag; its transcriptions stay.
 * @returns whether the person had it
 */
export function deleteNamed(t: Db, kind: Kind, userId: string, id: string): Promise<boolean> {
  return affectsAny(t.deleteFrom(kind).where("id", "=", id).where("user_id", "=", userId));
}

/** Filters the ids that belong to the person. */
export async function ownNamed(t: Db, kind: Kind, userId: string, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return [];
  return idsOf(t.selectFrom(kind).select("id").where("user_id", "=", userId).where("id", "in", ids));
}

/** A person's tags with their colors, by transcription; for the export of an account. */
export async function listFiled(db: Db, userId: string) {
  const placed = await db
    .selectFrom("filings")
    .innerJoin("transcriptions", "transcriptions.id", "filings.transcription_id")
    .leftJoin("folders", "folders.id", "filings.folder_id")
    .select(["filings.transcription_id as id", "folders.name as folder", "filings.favourite"])
    .where("transcriptions.user_id", "=", userId)
    .orderBy("filings.transcription_id")
    .execute();
  const tagged = await db
    .selectFrom("transcription_tags")
    .innerJoin("tags", "tags.id", "transcription_tags.tag_id")
    .select(["transcription_tags.transcription_id as id", "tags.name"])
    .where("tags.user_id", "=", userId)
    .orderBy("tags.name_key")
    .execute();
  const tags = Map.groupBy(tagged, ({ id }) => id);
  return placed.map(({ id, folder, favourite }) => ({
    transcription: id,
    folder,
    tags: (tags.get(id) ?? []).map(({ name }) => name),
    favourite: favourite === 1,
  }));
}

/** The changes of a transcription's filing; undefined parts stay. All folders and tags belong to the person. */
export interface Placing {
  folderId?: string | null | undefined;
  addTags: readonly string[];
  removeTags: readonly string[];
  favourite?: boolean | undefined;
}

/** A transcription's folder and tags. */
interface Placed {
  folder_id: string | null;
  favourite: number;
  tags: readonly string[];
}

/** Whether a person has this transcription, and it is not deleted. */
export async function isOwn(t: Db, userId: string, id: string): Promise<boolean> {
  return (await listOwn(t, userId, [id])).length > 0;
}

export async function findPlaced(t: Db, id: string): Promise<Placed> {
  const filing = await t
    .selectFrom("filings")
    .select(["folder_id", "favourite"])
    .where("transcription_id", "=", id)
    .executeTakeFirst();
  const tags = await t.selectFrom("transcription_tags").select("tag_id").where("transcription_id", "=", id).execute();
  return { folder_id: filing?.folder_id ?? null, favourite: filing?.favourite ?? 0, tags: tags.map(({ tag_id }) => tag_id) };
}

/** Replaces what a person's transcription is filed under. Call it in a transaction. */
export async function replacePlaced(t: Db, userId: string, id: string, { folder_id, favourite, tags }: Placed): Promise<void> {
  await t
    .insertInto("filings")
    .values({ transcription_id: id, folder_id, favourite })
    .onConflict((conflict) => conflict.column("transcription_id").doUpdateSet({ folder_id, favourite }))
    .execute();
  await t
    .deleteFrom("transcription_tags")
    .where("transcription_id", "=", id)
    .$if(tags.length > 0, (query) => query.where("tag_id", "not in", tags))
    .execute();
  for (const tag_id of tags) {
    await t
      .insertInto("transcription_tags")
      .values({ transcription_id: id, tag_id })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
  await t
    .updateTable("transcriptions")
    .set({ revision: await nextRevision(t, userId) })
    .where("id", "=", id)
    .execute();
}

/** Filters the ids of a person's transcriptions, in this order; those in the trash are left out. */
export async function listOwn(db: Db, userId: string, ids: readonly string[]): Promise<string[]> {
  const rows = await db
    .selectFrom("transcriptions")
    .select("id")
    .where("user_id", "=", userId)
    .where("id", "in", ids)
    .where("deleted_at", "is", null)
    .execute();
  const own = new Set(rows.map(({ id }) => id));
  return [...new Set(ids)].filter((id) => own.has(id));
}

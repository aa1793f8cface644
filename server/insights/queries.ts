import { createHash } from "node:crypto";
import type { Selectable } from "kysely";
import * as v from "valibot";
import {
  type FolderTemplate,
  type FolderTemplateDraft,
  type Insight,
  type InsightKind,
  keptAnswers,
  Point,
  type Template,
  type TemplateDraft,
} from "#contract/index.ts";
import type { Db } from "#server/db/open.ts";
import { affectsAny } from "#server/db/results.ts";
import { inTransaction } from "#server/db/transaction.ts";
import type { InsightTable } from "./tables.ts";

type InsightRow = Selectable<InsightTable>;

interface FolderTemplateChange extends FolderTemplateDraft {
  folderId: string;
}

const Points = v.pipe(v.string(), v.parseJson(), v.array(Point));

/** Distinguishes a corrected text from the one that a model has read. */
export const hashOf = (text: string): string => createHash("sha256").update(text).digest("hex");

/** @param hash of the transcript's text as it is now */
export function insightOf(row: InsightRow, hash: string): Insight {
  const { id, kind, template, question, omitted, model } = row;
  const createdAt = new Date(row.created_at).toISOString();
  return { id, kind, template, question, points: pointsOf(row), omitted, model, createdAt, outdated: row.text_hash !== hash };
}

/** @throws when the stored text is malformed */
export const pointsOf = ({ points }: Pick<InsightRow, "points">): Point[] => v.parse(Points, points);

/** The results for a transcription, the oldest first. */
export function listInsights(db: Db, transcriptionId: string): Promise<InsightRow[]> {
  return db
    .selectFrom("insights")
    .selectAll()
    .where("transcription_id", "=", transcriptionId)
    .orderBy("created_at")
    .orderBy("id")
    .execute();
}

export function findInsight(db: Db, transcriptionId: string, id: string): Promise<InsightRow | undefined> {
  return db
    .selectFrom("insights")
    .selectAll()
    .where((eb) => eb.and({ transcription_id: transcriptionId, id }))
    .executeTakeFirst();
}

/** The only one of its kind; not of answers. */
export function findInsightOfKind(db: Db, transcriptionId: string, kind: InsightKind): Promise<InsightRow | undefined> {
  return db
    .selectFrom("insights")
    .selectAll()
    .where((eb) => eb.and({ transcription_id: transcriptionId, kind }))
    .executeTakeFirst();
}

/** Adds a result. Several answers are kept, and one result of each other kind. Call it in a transaction. */
export async function insertInsight(t: Db, row: InsightRow): Promise<void> {
  const others = await t
    .selectFrom("insights")
    .select("id")
    .where((eb) => eb.and({ transcription_id: row.transcription_id, kind: row.kind }))
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .execute();
  const gone = others.slice(row.kind === "answer" ? keptAnswers - 1 : 0).map(({ id }) => id);
  if (gone.length > 0) await t.deleteFrom("insights").where("id", "in", gone).execute();
  await t.insertInto("insights").values(row).execute();
}

export async function changePoints(t: Db, id: string, points: readonly Point[]): Promise<void> {
  await t
    .updateTable("insights")
    .set({ points: JSON.stringify(points) })
    .where("id", "=", id)
    .execute();
}

export async function deleteInsight(db: Db, id: string): Promise<void> {
  await db.deleteFrom("insights").where("id", "=", id).execute();
}

/** The text of a transcription that is not deleted and belongs to this user. */
export async function findText(t: Db, userId: string, transcriptionId: string): Promise<string | undefined> {
  const row = await t
    .selectFrom("transcriptions")
    .select("text")
    .where((eb) => eb.and({ id: transcriptionId, user_id: userId }))
    .where("deleted_at", "is", null)
    .executeTakeFirst();
  return row?.text;
}

/** A person's templates, by name. */
export async function listTemplates(db: Db, userId: string): Promise<Template[]> {
  const rows = await db.selectFrom("insight_templates").select(["id", "name", "prompt"]).where("user_id", "=", userId).execute();
  return rows.toSorted((a, b) => a.name.localeCompare(b.name) || (a.id < b.id ? -1 : 1));
}

export async function insertTemplate(t: Db, userId: string, template: Template & { createdAt: number }): Promise<void> {
  const { createdAt: created_at, ...columns } = template;
  await t
    .insertInto("insight_templates")
    .values({ ...columns, user_id: userId, created_at })
    .execute();
}

/** @returns whether it exists */
export function replaceTemplate(db: Db, userId: string, id: string, draft: TemplateDraft): Promise<boolean> {
  return inTransaction(db, (t) =>
    affectsAny(
      t
        .updateTable("insight_templates")
        .set(draft)
        .where((eb) => eb.and({ id, user_id: userId })),
    ),
  );
}

/** The chosen default templates of a person's folders. */
export async function listFolderTemplates(db: Db, userId: string): Promise<FolderTemplate[]> {
  const rows = await db
    .selectFrom("folders")
    .select(["id as folderId", "insight_template as template"])
    .where("user_id", "=", userId)
    .where("insight_template", "is not", null)
    .orderBy("id")
    .$narrowType<{ template: string }>()
    .execute();
  return rows;
}

/** @returns whether the person has the folder */
export function setFolderTemplate(t: Db, userId: string, { folderId, template }: FolderTemplateChange): Promise<boolean> {
  return affectsAny(
    t
      .updateTable("folders")
      .set({ insight_template: template })
      .where((eb) => eb.and({ id: folderId, user_id: userId })),
  );
}

/** The folders that have it as their own have none then. Call it in a transaction. @returns whether there was one */
export async function deleteTemplate(t: Db, userId: string, id: string): Promise<boolean> {
  await t
    .updateTable("folders")
    .set({ insight_template: null })
    .where((eb) => eb.and({ user_id: userId, insight_template: id }))
    .execute();
  return affectsAny(t.deleteFrom("insight_templates").where((eb) => eb.and({ id, user_id: userId })));
}

import { trashMs } from "#contract/index.ts";
import type { Db } from "#server/db/open.ts";
import { listEpisodesOf } from "#server/feeds/episode-queries.ts";
import { viewFeeds } from "#server/feeds/view.ts";
import { listFiled, listFiling } from "#server/filing/queries.ts";
import { exportedNotes } from "#server/notes/queries.ts";
import { findNoticeSettings } from "#server/notices/queries.ts";
import { exportedShares } from "#server/people/queries.ts";
import { viewPersonalToken } from "#server/personal-tokens/personal-tokens.ts";
import { listPersonalTokens } from "#server/personal-tokens/queries.ts";
import { listRules } from "#server/retention/queries.ts";
import { viewLink } from "#server/sharing/view.ts";
import { listVaultLinksOf } from "#server/vault/link-queries.ts";
import { vaultLinkView } from "#server/vault/view.ts";
import { listDeliveriesOf, listWebhooks } from "#server/webhooks/queries.ts";
import { viewDelivery, viewWebhook } from "#server/webhooks/view.ts";

/** A user's transcriptions, the oldest first. */
export interface OwnTranscriptions {
  ids: string[];
  /** The transcriptions in the trash, with the end of their time there (ISO 8601). */
  trash: { id: string; deletedAt: string; erasedAt: string }[];
}

export async function ownTranscriptions(db: Db, userId: string): Promise<OwnTranscriptions> {
  const rows = await db
    .selectFrom("transcriptions")
    .select(["id", "deleted_at"])
    .where("user_id", "=", userId)
    .where("erasing", "=", 0)
    .orderBy("date")
    .orderBy("id")
    .execute();
  const iso = (at: number) => new Date(at).toISOString();
  return {
    ids: rows.flatMap(({ id, deleted_at }) => (deleted_at === null ? [id] : [])),
    trash: rows.flatMap(({ id, deleted_at: at }) =>
      at === null ? [] : [{ id, deletedAt: iso(at), erasedAt: iso(at + trashMs) }],
    ),
  };
}

/** A user's rows in small tables, by table. */
export async function smallRowsOf(db: Db, userId: string) {
  const usage = await db.selectFrom("usage").select(["month", "samples"]).where("user_id", "=", userId).execute();
  const written = await db.selectFrom("inbox").select(["created_at", "rating", "text"]).where("user_id", "=", userId).execute();
  const done = await db
    .selectFrom("audit_log")
    .select(["at", "action", "before", "after", "reason"])
    .where("user_id", "=", userId)
    .orderBy("at")
    .execute();
  const vocabulary = await db.selectFrom("vocabularies").select("text").where("user_id", "=", userId).executeTakeFirst();
  const tokens = await listPersonalTokens(db, userId);
  const watched = await db.selectFrom("watched_files").select(["path", "found_at"]).where("user_id", "=", userId).execute();
  const watchedFiles = watched.map(({ path, found_at }) => ({ path, foundAt: new Date(found_at).toISOString() }));
  return {
    vocabulary: vocabulary?.text ?? "",
    ...(await voicesOf(db, userId)),
    // Without the tokens' hashes, so that an export opens nothing.
    personalTokens: tokens.map(viewPersonalToken),
    ...(await insightsOf(db, userId)),
    ...(await listFiling(db, userId)),
    filed: await listFiled(db, userId),
    retention: await listRules(db, userId),
    notes: await exportedNotes(db, userId),
    sharedLinks: await linksOf(db, userId),
    ...(await exportedShares(db, userId)),
    vaultLinks: await vaultLinksOf(db, userId),
    mailNotices: await findNoticeSettings(db, userId),
    // Without the webhooks' secrets.
    webhooks: (await listWebhooks(db, userId)).map(viewWebhook),
    webhookDeliveries: (await listDeliveriesOf(db, userId)).map((row) => ({ webhook: row.webhook_id, ...viewDelivery(row) })),
    feeds: await viewFeeds(db, userId),
    feedEpisodes: await listEpisodesOf(db, userId),
    watchedFiles,
    usage,
    feedback: written,
    administration: done,
  };
}

/** The links to a user's transcripts, without their secrets. */
async function linksOf(db: Db, userId: string) {
  const links = db.selectFrom("shared_links").selectAll().where("user_id", "=", userId);
  return (await links.orderBy("created_at").orderBy("id").execute()).map((row) => {
    const { ended: _, ...link } = viewLink(row, 0);
    return { transcription: row.transcription_id, ...link };
  });
}

/** The links to items of a user's vault, without their secrets. */
async function vaultLinksOf(db: Db, userId: string) {
  return (await listVaultLinksOf(db, userId)).map((row) => {
    const { ended: _, ...link } = vaultLinkView(row, 0);
    return { recording: row.item_id, ...link };
  });
}

/** What language models have made of a user's transcripts, and the user's instructions to them. */
async function insightsOf(db: Db, userId: string) {
  const insights = await db
    .selectFrom("insights")
    .select(["transcription_id", "kind", "template", "question", "points", "model", "created_at"])
    .where("user_id", "=", userId)
    .orderBy("transcription_id")
    .orderBy("created_at")
    .orderBy("id")
    .execute();
  const templates = await db
    .selectFrom("insight_templates")
    .select(["name", "prompt"])
    .where("user_id", "=", userId)
    .orderBy("created_at")
    .execute();
  return {
    insights: insights.map(({ transcription_id, kind, template, question, points, model, created_at }) => ({
      transcription: transcription_id,
      kind,
      template,
      question,
      model,
      createdAt: new Date(created_at).toISOString(),
      points: parsed(points),
    })),
    insightTemplates: templates,
  };
}

/**
 * The voices that a user has named, and the voices in the user's recordings: numbers that mean nothing without the
 * model.
 */
async function voicesOf(db: Db, userId: string) {
  const profiles = await db.selectFrom("voice_profiles").selectAll().where("user_id", "=", userId).orderBy("name").execute();
  const voices = await db
    .selectFrom("voices")
    .select(["transcription_id", "label", "model", "embedding"])
    .where("user_id", "=", userId)
    .where("embedding", "is not", null)
    .orderBy("transcription_id")
    .orderBy("idx")
    .execute();
  const numbersIn = (json: string | null) => parsed(json ?? "[]");
  return {
    voiceProfiles: profiles.map(({ name, recordings, model, created_at, heard_at, sum }) => ({
      name,
      recordings,
      createdAt: new Date(created_at).toISOString(),
      heardAt: new Date(heard_at).toISOString(),
      model,
      voicePrint: numbersIn(sum),
    })),
    voices: voices.map(({ transcription_id, label, model, embedding }) => ({
      transcription: transcription_id,
      speaker: label,
      model,
      voicePrint: numbersIn(embedding),
    })),
  };
}

const parsed = (json: string): unknown => JSON.parse(json);

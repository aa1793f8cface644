import * as v from "valibot";
import { Feed } from "#contract/index.ts";
import type { Db } from "#server/db/open.ts";
import { countEpisodes, findNewest } from "./episode-queries.ts";
import { type FeedRow, listFeeds } from "./queries.ts";

const iso = (at: number): string => new Date(at).toISOString();
const isoOrNull = (at: number | null): string | null => (at === null ? null : iso(at));

/** A person's feeds as they see them, the oldest first. */
export async function viewFeeds(db: Db, userId: string): Promise<Feed[]> {
  const rows = await listFeeds(db, userId);
  const counts = await countEpisodes(db, userId);
  return Promise.all(rows.map(async (row) => viewFeed(db, row, counts.get(row.id) ?? [])));
}

/** A single feed. */
export async function viewOne(db: Db, row: FeedRow): Promise<Feed> {
  return viewFeed(db, row, (await countEpisodes(db, row.user_id)).get(row.id) ?? []);
}

type Counts = readonly { state: string; reason: string | null; count: number }[];

async function viewFeed(db: Db, row: FeedRow, counts: Counts): Promise<Feed> {
  const waiting = counts.find(({ state }) => state === "waiting");
  const taken = counts.find(({ state }) => state === "taken");
  const newest = await findNewest(db, row.id);
  return v.parse(Feed, {
    id: row.id,
    url: row.url,
    title: row.title,
    createdAt: iso(row.created_at),
    sourceLanguage: row.source_language,
    targetLanguage: row.target_language,
    folderId: row.folder_id,
    paused: row.paused_at === null ? null : { at: iso(row.paused_at), reason: row.pause_reason },
    lookedAt: isoOrNull(row.looked_at),
    nextAt: row.paused_at === null ? iso(row.next_at) : null,
    error: row.error,
    failures: row.failures,
    taken: Number(taken?.count ?? 0),
    waiting: Number(waiting?.count ?? 0),
    waitingFor: waiting?.reason ?? null,
    newest: newest ?? null,
  });
}

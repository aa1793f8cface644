import { randomUUID } from "node:crypto";
import type { InferOutput } from "valibot";
import type { AdminBlogPost, BlogDraft, BlogImage, BlogUpdate, BulkAction } from "#contract/index.ts";
import type { Db, DbParts } from "#server/db/open.ts";
import { inTransaction } from "#server/db/transaction.ts";
import { Problem } from "#server/errors/problem.ts";
import { withoutHost } from "./image-address.ts";
import type { Digest } from "./plain-text.ts";
import { changePost, deletePosts, findPost, insertPost, keepOldSlug, type NamedPostRow } from "./queries.ts";
import { freeSlug, isSlugFree, slugOf } from "./slugs.ts";
import { adminView } from "./view.ts";

export type Draft = InferOutput<typeof BlogDraft>;
export type PostUpdate = InferOutput<typeof BlogUpdate>;

/**
 * Creates a post. Without a slug of its own it gets one from its title, made unique by a number at the end.
 * @param by the author; null: the schedule
 * @param id fixed for samples; default: a new one
 * @throws Problem `slugTaken` when its own slug is taken
 */
export function createPost(
  { db, now }: DbParts,
  draft: Draft,
  digest: Digest,
  by: { authorId: string | null },
  id: string = randomUUID(),
): Promise<AdminBlogPost> {
  return inTransaction(db, async (t) => {
    const slug = await slugFor(t, draft.slug, draft.title, id);
    const at = now();
    const row = {
      id,
      slug,
      title: draft.title,
      summary: draft.summary || digest.summary,
      content: withoutHost(draft.content),
      language: draft.language,
      status: draft.status,
      generated: draft.generated ? 1 : 0,
      cover: coverText(draft.cover),
      minutes: digest.minutes,
      author_id: by.authorId,
      created_at: at,
      updated_at: at,
      published_at: draft.status === "published" ? at : null,
      revision: 1,
      likes: 0,
      dislikes: 0,
      views: 0,
    };
    await insertPost(t, row, distinct(draft.topics));
    return adminView(await there(t, id));
  });
}

interface UpdateParts extends DbParts {
  /** Parses the text. It may take long, so it runs outside transactions. */
  digest: (markdown: string) => Promise<Digest>;
}

/**
 * Updates a post; absent fields stay. Its previous slug keeps working.
 * @throws Problem `notFound`, `conflict` if it has another revision, `slugTaken`
 */
export async function updatePost(parts: UpdateParts, id: string, given: PostUpdate): Promise<AdminBlogPost> {
  const update = given.content === undefined ? given : { ...given, content: withoutHost(given.content) };
  const shown = await there(parts.db, id);
  const made = await madeOf(shown, update, parts.digest);
  const updated = await inTransaction(parts.db, async (t) => {
    const before = await there(t, id);
    if (update.revision !== undefined && update.revision !== before.revision) throw new Problem("conflict");
    return before.revision === shown.revision ? change({ ...parts, db: t }, before, update, made) : undefined;
  });
  // Somebody else has changed it while its text was read.
  return updated ?? updatePost(parts, id, update);
}

/** The properties derived from an updated post's text. */
type Made = Pick<NamedPostRow, "summary" | "minutes">;

/** A generated summary changes with the text; a written one stays. */
async function madeOf(before: NamedPostRow, update: PostUpdate, digest: UpdateParts["digest"]): Promise<Made> {
  const { summary = before.summary, content = before.content } = update;
  const isSame = content === before.content;
  if (isSame && (update.summary ?? "kept") !== "") return { summary, minutes: before.minutes };
  const next = await digest(content);
  const isMade = summary === "" || (!isSame && summary === (await digest(before.content)).summary);
  return { summary: isMade ? next.summary : summary, minutes: next.minutes };
}

async function change({ db, now }: DbParts, before: NamedPostRow, update: PostUpdate, made: Made): Promise<AdminBlogPost> {
  const { id } = before;
  const slug = update.slug === undefined || update.slug === before.slug ? before.slug : await slugFor(db, update.slug, "", id);
  const at = now();
  const { title = before.title, language = before.language, status = before.status, content = before.content } = update;
  const row = {
    slug,
    title,
    content,
    language,
    status,
    summary: made.summary,
    cover: update.cover === undefined ? before.cover : coverText(update.cover),
    minutes: made.minutes,
    published_at: before.published_at ?? (status === "published" ? at : null),
    updated_at: at,
  };
  await changePost(db, id, row, update.topics && distinct(update.topics));
  if (slug !== before.slug) await keepOldSlug(db, id, { old: before.slug, current: slug });
  return adminView(await there(db, id));
}

/** @throws Problem `notFound` */
export async function removePost({ db, now }: DbParts, id: string): Promise<void> {
  const gone = await inTransaction(db, (t) => deletePosts(t, [id], now()));
  if (gone.length === 0) throw new Problem("notFound", "Blog post not found");
}

/**
 * Applies a change to several posts in one transaction.
 * @returns the ids of the existing ones
 */
export function changePosts(parts: UpdateParts, { ids, action }: InferOutput<typeof BulkAction>): Promise<string[]> {
  return inTransaction(parts.db, async (t) => {
    if (action === "delete") return deletePosts(t, ids, parts.now());
    const status = action === "publish" ? "published" : "draft";
    const done: string[] = [];
    for (const id of new Set(ids)) {
      const before = await findPost(t, id);
      if (before === undefined) continue;
      if (before.status !== status) await updatePost({ ...parts, db: t }, id, { status });
      done.push(id);
    }
    return done;
  });
}

/** A post as its editors see it. @throws Problem `notFound` */
export async function getForEditor({ db }: Pick<DbParts, "db">, id: string): Promise<AdminBlogPost> {
  return adminView(await there(db, id));
}

async function there(db: Db, id: string): Promise<NamedPostRow> {
  const row = await findPost(db, id);
  if (row === undefined) throw new Problem("notFound", "Blog post not found");
  return row;
}

async function slugFor(t: Db, wanted: string | undefined, title: string, id: string): Promise<string> {
  if (wanted === undefined) return freeSlug(t, slugOf(title), id);
  if (!(await isSlugFree(t, wanted, id))) throw new Problem("slugTaken");
  return wanted;
}

function coverText(cover: BlogImage | null): string | null {
  return cover === null ? null : JSON.stringify({ ...cover, url: withoutHost(cover.url) });
}

/** Without duplicates, ignoring case. */
function distinct(topics: readonly string[]): string[] {
  const first = new Map<string, string>();
  for (const topic of topics) if (!first.has(topic.toLowerCase())) first.set(topic.toLowerCase(), topic);
  return [...first.values()];
}

import * as v from "valibot";
import { BlogImage } from "#contract/index.ts";
import type { PersistedDraft } from "#machines/blog-admin/post-editor-rules.ts";
import { type PageStorage, storage as pageStorage } from "#src/browser/storage.ts";

const Values = v.object({
  title: v.string(),
  slug: v.string(),
  summary: v.string(),
  content: v.string(),
  topics: v.array(v.string()),
  language: v.string(),
  cover: v.nullable(BlogImage),
});
const DraftEntry = v.object({ at: v.number(), revision: v.number(), values: Values });
const Stored = v.pipe(v.string(), v.parseJson(), v.array(DraftEntry));

/** Copies of one post that are kept at most. */
const maxCopies = 5;

export interface PostDrafts {
  /** What was left over when the post was last open, the newest first. From now on it is a copy: what is written next has its own place. */
  recall(): readonly PersistedDraft[];
  /** What is being written and is not saved; null when all is. @returns false when the browser has no room for it */
  keepWriting(draft: PersistedDraft | null): boolean;
  keepCopies(copies: readonly PersistedDraft[]): boolean;
}

/**
 * What somebody wrote of a post and the server does not have: it survives a reload, a crash, and whoever else signs in here.
 * @param postId null: of a new one
 */
export function postDraftsOf(ownerId: string, postId: string | null, storage: PageStorage = pageStorage): PostDrafts {
  const writing = `draft:${ownerId}:post:${postId ?? "new"}`;
  const copies = `${writing}:copies`;
  const read = (key: string): readonly PersistedDraft[] => {
    const kept = v.safeParse(Stored, storage.read(key));
    return kept.success ? kept.output : [];
  };
  const write = (key: string, kept: readonly PersistedDraft[]): boolean => {
    if (kept.length > 0) return storage.write(key, JSON.stringify(kept.slice(0, maxCopies)));
    storage.remove(key);
    return true;
  };
  return {
    recall: () => {
      const left = [...read(writing), ...read(copies)];
      if (write(copies, left)) storage.remove(writing);
      return left.slice(0, maxCopies);
    },
    keepWriting: (draft) => write(writing, draft === null ? [] : [draft]),
    keepCopies: (kept) => write(copies, kept),
  };
}

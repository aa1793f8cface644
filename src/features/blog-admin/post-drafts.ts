import * as v from "valibot";
import { BlogImage } from "#contract/index.ts";
import type { PersistedDraft } from "#machines/blog-admin/post-editor/rules.ts";
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

/** Maximum number of copies per post. */
const maxCopies = 5;

export type PostDrafts = ReturnType<typeof postDraftsOf>;

/**
 * Unsaved changes of one person to a post: persisted over reloads and crashes, and while others are signed in.
 * @param postId null: a new post
 */
export function postDraftsOf(ownerId: string, postId: string | null, storage: PageStorage = pageStorage) {
  const writing = `draft:${ownerId}:post:${postId ?? "new"}`;
  const copies = `${writing}:copies`;
  const read = (key: string): readonly PersistedDraft[] => {
    const persisted = v.safeParse(Stored, storage.read(key));
    return persisted.success ? persisted.output : [];
  };
  const write = (key: string, drafts: readonly PersistedDraft[]): boolean => {
    if (drafts.length > 0) return storage.write(key, JSON.stringify(drafts.slice(0, maxCopies)));
    storage.remove(key);
    return true;
  };
  return {
    /** Unsaved drafts of earlier visits, the newest first. From now on they are copies: new changes have a slot of their own. */
    recall: (): readonly PersistedDraft[] => {
      const left = [...read(writing), ...read(copies)];
      if (write(copies, left)) storage.remove(writing);
      return left.slice(0, maxCopies);
    },
    /** Stores unsaved changes; null when there are none. @returns false when the browser has no room */
    keepWriting: (draft: PersistedDraft | null) => write(writing, draft === null ? [] : [draft]),
    keepCopies: (drafts: readonly PersistedDraft[]) => write(copies, drafts),
  };
}

import * as v from "valibot";
import type { ActorRefFrom } from "xstate";
import { BlogPost } from "#contract/index.ts";
import type { postEditorMachine } from "#machines/blog-admin/post-editor/machine.ts";
import { type PersistedDraft, placesIn } from "#machines/blog-admin/post-editor/rules.ts";
import {
  selectIsDirty,
  selectIsRemoved,
  selectOffers,
  selectPostId,
  selectRevision,
  selectSaved,
  selectValues,
} from "#machines/blog-admin/post-editor/selectors.ts";
import { type PageStorage, storage as pageStorage } from "#src/browser/storage.ts";
import { createStore } from "#src/browser/store.ts";

const Values = v.pick(BlogPost, ["title", "slug", "summary", "content", "topics", "language", "cover"]);
const DraftEntry = v.object({ at: v.number(), revision: v.number(), values: Values });
const Stored = v.pipe(v.string(), v.parseJson(), v.array(DraftEntry));

const maxCopies = 5;

export type PostDrafts = ReturnType<typeof postDraftsOf>;

/**
 * One user's unsaved changes to a post. Persisted over reloads and crashes, and while other users are signed in.
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
    /**
     * Returns the unsaved drafts of earlier visits, the newest first, and stores them as copies. New changes have their
     * own slot.
     */
    recall: (): readonly PersistedDraft[] => {
      const left = [...read(writing), ...read(copies)];
      if (write(copies, left)) storage.remove(writing);
      return left.slice(0, maxCopies);
    },
    /**
     * Stores unsaved changes; null deletes them.
     * @returns false when the browser's storage is full
     */
    keepWriting: (draft: PersistedDraft | null) => write(writing, draft === null ? [] : [draft]),
    keepCopies: (drafts: readonly PersistedDraft[]) => write(copies, drafts),
  };
}

type PostEditor = ActorRefFrom<typeof postEditorMachine>;

/**
 * Persists each change in this browser until the server has it.
 * @param opened drafts of the post at the time it was opened
 * @returns whether the browser has room for the changes
 */
export function keepChanges(actor: PostEditor, ownerId: string, openedId: string | null, opened: PostDrafts) {
  let drafts = opened;
  let keyId = openedId;
  const hasRoom = createStore(true);
  let last = { ...partsOf(actor) };
  const move = (id: string, offers: typeof last.offers) => {
    drafts.keepWriting(null);
    // The changes of a new post move to the saved post.
    if (keyId === null) drafts.keepCopies([]);
    drafts = postDraftsOf(ownerId, id);
    keyId = id;
    drafts.keepCopies(offers);
  };
  actor.subscribe(() => {
    const now = partsOf(actor);
    const { id, values, saved, offers, isRemoved } = now;
    if (id === last.id && values === last.values && saved === last.saved && offers === last.offers && !isRemoved) return;
    if (offers !== last.offers) hasRoom.set(drafts.keepCopies(isRemoved ? [] : offers));
    last = now;
    if (id !== null && id !== keyId) move(id, offers);
    const isUnsaved = selectIsDirty(actor.getSnapshot()) || placesIn(values.content).length > 0;
    hasRoom.set(drafts.keepWriting(isUnsaved && !isRemoved ? { at: Date.now(), revision: now.revision, values } : null));
  });
  return { hasRoom: hasRoom.get, subscribe: hasRoom.subscribe };
}

function partsOf(actor: PostEditor) {
  const snapshot = actor.getSnapshot();
  return {
    id: selectPostId(snapshot),
    values: selectValues(snapshot),
    saved: selectSaved(snapshot),
    offers: selectOffers(snapshot),
    revision: selectRevision(snapshot),
    isRemoved: selectIsRemoved(snapshot),
  };
}

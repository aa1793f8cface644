import type { ActorRefFrom } from "xstate";
import type { postEditorMachine } from "#machines/blog-admin/post-editor/machine.ts";
import { placesIn } from "#machines/blog-admin/post-editor/rules.ts";
import {
  selectIsDirty,
  selectIsRemoved,
  selectOffers,
  selectPostId,
  selectRevision,
  selectSaved,
  selectValues,
} from "#machines/blog-admin/post-editor/selectors.ts";
import { createStore } from "#src/browser/store.ts";
import { type PostDrafts, postDraftsOf } from "./post-drafts.ts";

type PostEditor = ActorRefFrom<typeof postEditorMachine>;

export type Keeping = ReturnType<typeof keepChanges>;

/**
 * Persists each change in this browser until the server has it.
 * @param opened drafts of the post as it was opened
 * @returns whether the browser has room for the changes
 */
export function keepChanges(actor: PostEditor, ownerId: string, openedId: string | null, opened: PostDrafts) {
  let drafts = opened;
  let keyId = openedId;
  const hasRoom = createStore(true);
  let last = { ...partsOf(actor) };
  const move = (id: string, offers: typeof last.offers) => {
    drafts.keepWriting(null);
    // Changes of a new post move to the saved one.
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

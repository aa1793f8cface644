import { assign, emit, enqueueActions, fromCallback, fromPromise, not, setup } from "xstate";
import type { AdminBlogPost, PostStatus } from "#contract/index.ts";
import { retryDelayMs, saveErrorOf, saveFailed, saveFailures, unsaved } from "#machines/autosave.ts";
import { codeOf, type Failed, isFinal, isGone } from "#machines/failure.ts";
import { notProvided } from "#machines/not-provided.ts";
import { present } from "#machines/present.ts";
import { withEvent, withOutput } from "#machines/with-event.ts";
import type { PostEditorEmitted, PostEditorEvent, PostEditorTag } from "./events.ts";
import {
  canBeSaved,
  emptyPost,
  isOther,
  type PersistedDraft,
  type PostEditorContext,
  type PostValues,
  type Sending,
  savesItself,
  withCopy,
  withLoaded,
  withMine,
  withOffer,
  withoutOffer,
  withSaved,
  withServerVersion,
  withUndoneEdits,
} from "./rules.ts";

interface PostEditorInput extends Pick<PostEditorContext, "now"> {
  /** null: a new post. */
  id: string | null;
  /** The language of a new post. */
  language: string;
  /** Unsaved versions of earlier visits, newest first. */
  persisted: readonly PersistedDraft[];
}

/**
 * One post, new or existing: loaded, edited, autosaved while it is a draft, published. Concurrent edits lose neither
 * version.
 */
export const postEditorMachine = setup({
  types: {
    context: {} as PostEditorContext,
    events: {} as PostEditorEvent,
    emitted: {} as PostEditorEmitted,
    tags: {} as PostEditorTag,
    input: {} as PostEditorInput,
  },
  actors: {
    load: fromPromise<AdminBlogPost, { id: string }>(async () => notProvided("load")),
    /** Creates a new post if there is no id. Rejects with the code `conflict` if the post has another revision. */
    save: fromPromise<AdminBlogPost, Sending>(async () => notProvided("save")),
    remove: fromPromise<void, { id: string }>(async () => notProvided("remove")),
    wakeUps: fromCallback<PostEditorEvent>(() => notProvided("wakeUps")),
  },
  actions: {
    assignLoaded: assign(({ context }, post: AdminBlogPost) => withLoaded({ ...context, loadError: null }, post)),
    assignLoadError: assign({ loadError: (_, { error }: Failed) => codeOf(error) }),
    change: assign({
      values: ({ context }, { values }: { values: Partial<PostValues> }) => ({ ...context.values, ...values }),
    }),
    want: assign({ wanted: (_, { status }: { status: PostStatus }) => status, tried: false }),
    announceMissing: assign({ tried: true }),
    beginSending: assign(({ context: { id, values, revision, status, wanted } }) => ({
      sending: { id, values, revision, status: wanted ?? status, asked: wanted !== null },
      wanted: null,
    })),
    assignSaved: assign(({ context }, post: AdminBlogPost) => withSaved({ ...context, saveError: null }, post)),
    assignSaveError: assign(saveErrorOf),
    takeBack: assign(({ context }) => withUndoneEdits(context)),
    /** A failed request of the person is not repeated as an autosave. */
    refuse: assign({ sending: null, wanted: null }),
    emitSaveFailed: emit(saveFailed),
    clearSaveError: assign({ saveError: null }),
    assignServerVersion: assign({ theirs: (_, { post }: { post: AdminBlogPost | null }) => post, saveError: null }),
    keepMine: assign(({ context }) => withMine(context)),
    takeTheirs: assign(({ context }) => withServerVersion(context, context.now())),
    beginCopy: assign(({ context }) => withCopy(context)),
    takeOffer: assign(({ context }, { at }: { at: number }) => withOffer(context, { at, now: context.now() })),
    dropOffer: assign(({ context }, { at }: { at: number }) => withoutOffer(context, at)),
    assignRemoving: assign({ removing: ({ context }) => context.id }),
    clearRemoving: assign({ removing: null }),
    emitEvent: emit((_, event: PostEditorEmitted) => event),
    emitSaved: enqueueActions(({ context, enqueue }, post: AdminBlogPost) => {
      for (const event of emittedOf(context, post)) enqueue.emit(event);
    }),
  },
  guards: {
    isNew: ({ context }) => context.id === null,
    savesItself: ({ context }) => savesItself(context),
    canBeSaved: ({ context }) => canBeSaved(context.values),
    isWanted: ({ context }) => context.wanted !== null && canBeSaved(context.values),
    isConflict: ({ context }, { error }: Failed) => context.id !== null && codeOf(error) === "conflict",
    isGone: ({ context }, { error }: Failed) => context.id !== null && isGone(error),
    /** A required field was cleared: the save is not sent as soon as one letter is typed again. */
    isRequestInvalid: ({ context }) => context.wanted !== null && !canBeSaved(context.values),
    /** The server would refuse the same again. */
    isFinal: (_, { error }: Failed) => isFinal(error) || ["slugTaken", "adminRequired"].includes(codeOf(error)),
    /** The person made another post of it in a conflict while it was being deleted. */
    isCopy: ({ context }) => context.id !== context.removing,
    isOriginalGone: ({ context }, { error }: Failed) => context.id !== context.removing && isGone(error),
    hasServerVersion: ({ context }) => context.theirs !== null,
    failedBefore: ({ context }) => context.saveError !== null,
  },
  delays: { autosavePause: 3_000, nextTry: retryDelayMs },
}).createMachine({
  id: "postEditor",
  context: ({ input: { id, language, persisted, now } }) => {
    const values = emptyPost(language);
    const offers = persisted.filter((one) => id !== null || isOther(one.values, values));
    return {
      id,
      values,
      saved: values,
      revision: 0,
      status: "draft",
      post: null,
      offers,
      wanted: null,
      sending: null,
      theirs: null,
      loadError: null,
      saveError: null,
      tried: false,
      removing: null,
      now,
    };
  },
  initial: "opening",
  states: {
    opening: { always: [{ guard: "isNew", target: "open" }, { target: "loading" }] },
    loading: {
      invoke: {
        src: "load",
        input: ({ context }) => ({ id: present(context.id, "the post's id") }),
        onDone: { target: "open", actions: withOutput("assignLoaded") },
        onError: [
          { guard: withEvent("isGone"), target: "missing" },
          { target: "failed", actions: withEvent("assignLoadError") },
        ],
      },
    },
    missing: { on: { "reload.requested": "loading" } },
    failed: { invoke: { src: "wakeUps" }, on: { "reload.requested": "loading", "page.resumed": "loading" } },
    open: {
      type: "parallel",
      on: {
        "values.changed": { actions: withEvent("change") },
        "offer.taken": { actions: withEvent("takeOffer") },
        "offer.discarded": { actions: withEvent("dropOffer") },
      },
      states: {
        autosave: {
          initial: "resting",
          on: {
            // A request during a save runs after it.
            "save.requested": [{ guard: "canBeSaved", actions: withEvent("want") }, { actions: "announceMissing" }],
          },
          states: {
            resting: {
              always: [
                { guard: "isWanted", target: "saving" },
                { guard: "isRequestInvalid", actions: ["refuse", "announceMissing"] },
                { guard: "savesItself", target: "pausing" },
              ],
            },
            /** A draft is autosaved when typing pauses. */
            pausing: {
              always: { guard: "isWanted", target: "saving" },
              after: { autosavePause: [{ guard: "savesItself", target: "saving" }, { target: "resting" }] },
              on: {
                "values.changed": { target: "pausing", reenter: true, actions: withEvent("change") },
              },
            },
            saving: {
              tags: "saving",
              entry: "beginSending",
              invoke: {
                src: "save",
                input: ({ context }) => present(context.sending, "what is saved"),
                onDone: { target: "resting", actions: [withOutput("emitSaved"), withOutput("assignSaved")] },
                onError: [
                  { guard: withEvent("isConflict"), target: "fetchingServerVersion", actions: "takeBack" },
                  {
                    guard: withEvent("isGone"),
                    target: "conflict",
                    actions: ["takeBack", { type: "assignServerVersion", params: { post: null } }],
                  },
                  ...saveFailures,
                ],
              },
            },
            unsaved: {
              ...unsaved,
              always: { guard: not("canBeSaved"), target: "incomplete" },
              on: {
                ...unsaved.on,
                "save.requested": { target: "saving", actions: withEvent("want") },
              },
            },
            /** As above, but a required field was cleared: the save is not retried without it. */
            incomplete: { tags: "unsaved", always: { guard: "canBeSaved", target: "unsaved" } },
            /** The server would refuse the same again: wait for a change or a request. */
            refused: {
              tags: "refused",
              on: {
                "values.changed": { target: "resting", actions: ["clearSaveError", withEvent("change")] },
                "save.requested": { guard: "canBeSaved", target: "resting", actions: withEvent("want") },
              },
            },
            fetchingServerVersion: {
              tags: "conflict",
              invoke: {
                src: "load",
                input: ({ context }) => ({ id: present(context.id, "the post's id") }),
                onDone: {
                  target: "conflict",
                  actions: { type: "assignServerVersion", params: ({ event }) => ({ post: event.output }) },
                },
                onError: [
                  {
                    guard: withEvent("isGone"),
                    target: "conflict",
                    actions: { type: "assignServerVersion", params: { post: null } },
                  },
                  { target: "unsaved", actions: withEvent("assignSaveError") },
                ],
              },
            },
            /** Someone else has saved or deleted it: the person decides. */
            conflict: {
              tags: ["conflict", "deciding"],
              on: {
                "mine.chosen": { guard: "hasServerVersion", target: "resting", actions: "keepMine" },
                "theirs.chosen": { guard: "hasServerVersion", target: "resting", actions: "takeTheirs" },
                "copy.chosen": { target: "resting", actions: "beginCopy" },
              },
            },
          },
        },
        removal: {
          initial: "idle",
          states: {
            idle: { on: { "delete.requested": { guard: not("isNew"), target: "confirming" } } },
            confirming: {
              // RecentChanges the person may have made it another post, in a conflict.
              always: { guard: "isNew", target: "idle" },
              on: { "delete.confirmed": "removing", "delete.dismissed": "idle" },
            },
            removing: {
              entry: "assignRemoving",
              exit: "clearRemoving",
              invoke: {
                src: "remove",
                input: ({ context }) => ({ id: present(context.id, "the post's id") }),
                onDone: [{ guard: "isCopy", target: "idle" }, { target: "#postEditor.removed" }],
                onError: [
                  { guard: withEvent("isOriginalGone"), target: "idle" },
                  { guard: withEvent("isGone"), target: "#postEditor.removed" },
                  {
                    target: "idle",
                    actions: {
                      type: "emitEvent",
                      params: ({ event }) => ({ type: "removal.failed", code: codeOf(event.error) }),
                    },
                  },
                ],
              },
            },
          },
        },
      },
    },
    removed: { entry: { type: "emitEvent", params: { type: "post.removed" } } },
  },
});

/** The outcome of a save; none for autosaves. */
function emittedOf({ id, status }: Pick<PostEditorContext, "id" | "status">, post: AdminBlogPost): readonly PostEditorEmitted[] {
  const created: readonly PostEditorEmitted[] = id === null ? [{ type: "post.created", id: post.id }] : [];
  if (post.status === "published")
    return [...created, { type: status === "published" ? "post.updated" : "post.published", post }];
  return status === "published" ? [...created, { type: "post.unpublished", post }] : created;
}

import { assign, emit, fromCallback, fromPromise, type SnapshotFrom, setup } from "xstate";
import type { FilingAnswer, Folder, Tag } from "#contract/index.ts";
import { codeOf, type Failed, isNotOffered } from "#machines/failure.ts";
import { notProvided } from "#machines/not-provided.ts";
import { present } from "#machines/present.ts";
import { withEvent, withOutput } from "#machines/with-event.ts";
import type { FilingEmitted, FilingEvent } from "./events.ts";
import { type FilingEdit, withEdit } from "./rules.ts";

interface FilingContext {
  /** Ordered by name. */
  filing: FilingAnswer;
  /** The event stream's update during loading, which is newer than the answer. */
  received: FilingAnswer | null;
  /** The edit that is being saved or that failed. */
  edit: FilingEdit | null;
  /** Why the last edit failed: an error code of the contract. */
  failure: string | null;
}

/**
 * A person's folders and tags: loaded, kept in step with other tabs, created, renamed, recolored and deleted, one edit
 * at a time.
 */
export const filingMachine = setup({
  types: {
    context: {} as FilingContext,
    events: {} as FilingEvent,
    emitted: {} as FilingEmitted,
    /** `offered`: the server has folders and tags. */
    tags: {} as "offered" | "saving",
  },
  actors: {
    load: fromPromise<FilingAnswer>(async () => notProvided("load")),
    /** Resolves with the id of the edited or created folder or tag. */
    save: fromPromise<string, FilingEdit>(async () => notProvided("save")),
    wakeUps: fromCallback<FilingEvent>(() => notProvided("wakeUps")),
  },
  actions: {
    assignLoaded: assign({ filing: ({ context }, output: FilingAnswer) => context.received ?? output }),
    noteReceived: assign({ received: (_, { filing }: { filing: FilingAnswer }) => filing }),
    clearReceived: assign({ received: null }),
    assignReceived: assign({ filing: (_, { filing }: { filing: FilingAnswer }) => filing }),
    noteEdit: assign((_, { edit }: { edit: FilingEdit }) => ({ edit, failure: null })),
    applyEdit: assign(({ context }, output: string) => ({
      filing: withEdit(context.filing, present(context.edit, "what was edited"), output),
      edit: null,
    })),
    noteFailure: assign({ failure: (_, { error }: Failed) => codeOf(error) }),
    dismissFailure: assign({ failure: null }),
    emitSaved: emit(({ context }, output: string): FilingEmitted => {
      return { type: "edit.saved", edit: present(context.edit, "what was edited"), id: output };
    }),
  },
  guards: { isNotOffered: (_, { error }: Failed) => isNotOffered(error) },
}).createMachine({
  id: "filing",
  context: { filing: { folders: [], tags: [] }, received: null, edit: null, failure: null },
  initial: "loading",
  states: {
    loading: {
      entry: "clearReceived",
      on: { "filing.received": { actions: withEvent("noteReceived") } },
      invoke: {
        src: "load",
        onDone: { target: "ready", actions: withOutput("assignLoaded") },
        onError: [{ guard: withEvent("isNotOffered"), target: "unavailable" }, { target: "unloaded" }],
      },
    },
    /** The server has neither folders nor tags. */
    unavailable: {},
    unloaded: { invoke: { src: "wakeUps" }, on: { "reload.requested": "loading", "page.resumed": "loading" } },
    ready: {
      tags: "offered",
      initial: "resting",
      on: { "filing.received": { actions: withEvent("assignReceived") } },
      states: {
        resting: {
          on: {
            "edit.requested": { target: "saving", actions: withEvent("noteEdit") },
            "failure.dismissed": { actions: "dismissFailure" },
          },
        },
        saving: {
          tags: "saving",
          invoke: {
            src: "save",
            input: ({ context }) => present(context.edit, "what is edited"),
            onDone: { target: "resting", actions: [withOutput("emitSaved"), withOutput("applyEdit")] },
            onError: { target: "resting", actions: withEvent("noteFailure") },
          },
        },
      },
    },
  },
});

type Snapshot = SnapshotFrom<typeof filingMachine>;

export const selectIsLoading = (snapshot: Snapshot): boolean => snapshot.matches("loading");
/** Whether the folders and tags are known. A server without them has none. */
export const selectIsKnown = (snapshot: Snapshot): boolean => selectIsOffered(snapshot) || snapshot.matches("unavailable");
/** Whether the server has folders and tags, and they are loaded. */
export const selectIsOffered = (snapshot: Snapshot): boolean => snapshot.hasTag("offered");
export const selectFolders = (snapshot: Snapshot): readonly Folder[] => snapshot.context.filing.folders;
export const selectAllTags = (snapshot: Snapshot): readonly Tag[] => snapshot.context.filing.tags;
export const selectIsSaving = (snapshot: Snapshot): boolean => snapshot.hasTag("saving");
/** An error code; null unless the last edit failed. */
export const selectFailure = (snapshot: Snapshot): string | null => snapshot.context.failure;

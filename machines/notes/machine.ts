import { assign, emit, fromCallback, fromPromise, setup } from "xstate";
import { isBlank, type Note, type NoteColour, type TimeRange } from "#contract/index.ts";
import { codeOf, isNotOffered } from "#machines/failure.ts";
import { notProvided } from "#machines/not-provided.ts";
import { present } from "#machines/present.ts";
import type { NotesEmitted, NotesEvent } from "./events.ts";
import { type DraftChange, rebased, type WrittenNote, withNote, writtenOf } from "./rules.ts";

interface NotesInput {
  /** What was being written when the page was left; null: nothing. */
  draft: WrittenNote | null;
}

interface NotesContext extends NotesInput {
  /** As the server has them, by where they begin; null before they are loaded. */
  notes: readonly Note[] | null;
  /** What is selected in the text. */
  selected: TimeRange | null;
  /** The one that is being deleted, or was last; until the next thing is noted. */
  removed: Note | null;
  /** Why the last change failed: an error code of the contract, or "blank"; null unless it did. */
  failure: string | null;
  /** Why loading failed: an error code of the contract. */
  loadError: string | null;
}

interface Failed {
  error: unknown;
}

const machineSetup = setup({
  types: {
    input: {} as NotesInput,
    context: {} as NotesContext,
    events: {} as NotesEvent,
    emitted: {} as NotesEmitted,
    /** `writing`: the form is open; `saving`: what was asked for is on its way. */
    tags: {} as "writing" | "saving",
  },
  actors: {
    load: fromPromise<readonly Note[]>(async () => notProvided("load")),
    /** Rejects with the code `conflict` when the note has another revision by now, and `tooManyAtOnce`, among others. */
    save: fromPromise<Note, WrittenNote>(async () => notProvided("save")),
    /** Resolves for one that is gone already, too. */
    remove: fromPromise<void, { id: string }>(async () => notProvided("remove")),
    wakeUps: fromCallback<NotesEvent>(() => notProvided("wakeUps")),
  },
  actions: {
    keep: assign(({ context }, { output }: { output: readonly Note[] }) => ({
      notes: output,
      loadError: null,
      // It may be there again: another tab has undone it.
      removed: output.some(({ id }) => id === context.removed?.id) ? null : context.removed,
    })),
    keepLoadError: assign({ loadError: (_, { error }: Failed) => codeOf(error) }),
    keepSelected: assign((_, { passage }: { passage: TimeRange | null }) => ({ selected: passage })),
    dropSelected: assign({ selected: null }),
    beginHighlight: assign(({ context }, { id, colour }: { id: string; colour: NoteColour }) => ({
      draft: { ...present(context.selected, "the selected passage"), id, revision: 0, colour, text: "" },
    })),
    beginNote: assign((_, { id, passage: { start, end } }: { id: string; passage: TimeRange }) => ({
      draft: { id, revision: 0, start, end, colour: null, text: "" },
    })),
    beginChange: assign(({ context }, { id }: { id: string }) => {
      const note = context.notes?.find((one) => one.id === id);
      return note === undefined ? {} : { draft: writtenOf(note) };
    }),
    applyChange: assign(({ context }, { change }: { change: DraftChange }) => ({
      draft: { ...present(context.draft, "the draft"), ...change },
    })),
    rebaseDraft: assign(({ context }, { output }: { output: readonly Note[] }) => ({
      draft: rebased(present(context.draft, "the draft"), output),
      failure: "conflict",
    })),
    keepSaved: assign(({ context }, { output }: { output: Note }) => ({ notes: withNote(context.notes ?? [], output) })),
    dropDraft: assign({ draft: null }),
    beginRemoval: assign(({ context }, { id }: { id: string }) => ({
      removed: context.notes?.find((one) => one.id === id) ?? null,
    })),
    takeOut: assign({ notes: ({ context }) => (context.notes ?? []).filter(({ id }) => id !== context.removed?.id) }),
    dropRemoved: assign({ removed: null }),
    keepFailure: assign({ failure: (_, { error }: Failed) => codeOf(error) }),
    keepBlank: assign({ failure: "blank" }),
    clearFailure: assign({ failure: null }),
    emitSaved: emit({ type: "note.saved" }),
  },
  guards: {
    isNotOffered: (_, { error }: Failed) => isNotOffered(error),
    hasDraft: ({ context }) => context.draft !== null,
    isBlankDraft: ({ context }) => isBlank(present(context.draft, "the draft")),
    hasSelected: ({ context }) => context.selected !== null,
    hasRemoved: ({ context }) => context.removed !== null,
    hasNote: ({ context }, { id }: { id: string }) => context.notes?.some((one) => one.id === id) === true,
    isConflict: (_, { error }: Failed) => codeOf(error) === "conflict",
  },
});

/** What was written goes to the server: of a form that is open, or of a highlight that is made without one. */
const sending = machineSetup.createStateConfig({
  invoke: {
    src: "save",
    input: ({ context }) => present(context.draft, "the draft"),
    onDone: {
      target: "idle",
      actions: [{ type: "keepSaved", params: ({ event }) => event }, "dropDraft", "dropSelected", "dropRemoved", "emitSaved"],
    },
    onError: [
      { guard: { type: "isConflict", params: ({ event }) => event }, target: "rereading" },
      { target: "writing", actions: { type: "keepFailure", params: ({ event }) => event } },
    ],
  },
});

/** Highlights and notes of a transcript's passages: of what is selected, written in a form that survives a reload, changed, and deleted with undo. */
export const notesMachine = machineSetup.createMachine({
  id: "notes",
  context: ({ input }) => ({ ...input, notes: null, selected: null, removed: null, failure: null, loadError: null }),
  initial: "loading",
  states: {
    loading: {
      invoke: {
        src: "load",
        onDone: [
          { guard: "hasDraft", target: "open.writing", actions: { type: "keep", params: ({ event }) => event } },
          { target: "open", actions: { type: "keep", params: ({ event }) => event } },
        ],
        onError: [
          { guard: { type: "isNotOffered", params: ({ event }) => event }, target: "unavailable" },
          { target: "failed", actions: { type: "keepLoadError", params: ({ event }) => event } },
        ],
      },
    },
    /** The server knows no notes. */
    unavailable: {},
    failed: { invoke: { src: "wakeUps" }, on: { "reload.requested": "loading", "page.resumed": "loading" } },
    open: {
      initial: "idle",
      on: { "passage.selected": { actions: { type: "keepSelected", params: ({ event }) => event } } },
      states: {
        idle: {
          initial: "resting",
          on: {
            "highlight.requested": {
              guard: "hasSelected",
              target: "highlighting",
              actions: [{ type: "beginHighlight", params: ({ event }) => event }, "clearFailure"],
            },
            "writing.requested": {
              target: "writing",
              actions: [{ type: "beginNote", params: ({ event }) => event }, "clearFailure"],
            },
            "editing.requested": {
              guard: { type: "hasNote", params: ({ event }) => event },
              target: "writing",
              actions: [{ type: "beginChange", params: ({ event }) => event }, "clearFailure"],
            },
            "undo.requested": { guard: "hasRemoved", target: "restoring", actions: "clearFailure" },
            "removal.requested": {
              guard: { type: "hasNote", params: ({ event }) => event },
              target: "removing",
              actions: [{ type: "beginRemoval", params: ({ event }) => event }, "clearFailure"],
            },
          },
          states: {
            // Another tab may have changed some meanwhile.
            resting: { invoke: { src: "wakeUps" }, on: { "page.resumed": "refreshing" } },
            /** What is shown stays until the answer, and if there is none. */
            refreshing: {
              invoke: {
                src: "load",
                onDone: { target: "resting", actions: { type: "keep", params: ({ event }) => event } },
                onError: "resting",
              },
            },
          },
        },
        writing: {
          tags: "writing",
          on: {
            "draft.changed": { actions: { type: "applyChange", params: ({ event }) => event } },
            "save.requested": [
              { guard: "isBlankDraft", actions: "keepBlank" },
              { target: "saving", actions: "clearFailure" },
            ],
            "draft.dismissed": { target: "idle", actions: ["dropDraft", "dropSelected", "clearFailure"] },
          },
        },
        saving: { ...sending, tags: ["writing", "saving"] },
        /** Without a form, which opens when it fails. */
        highlighting: {
          tags: "saving",
          invoke: {
            ...sending.invoke,
            onError: { target: "writing", actions: { type: "keepFailure", params: ({ event }) => event } },
          },
        },
        /** It was changed elsewhere: what it says there is shown, and saving once more replaces that. */
        rereading: {
          tags: ["writing", "saving"],
          invoke: {
            src: "load",
            onDone: {
              target: "writing",
              actions: [
                { type: "keep", params: ({ event }) => event },
                { type: "rebaseDraft", params: ({ event }) => event },
              ],
            },
            onError: { target: "writing", actions: { type: "keepFailure", params: ({ event }) => event } },
          },
        },
        removing: {
          tags: "saving",
          invoke: {
            src: "remove",
            input: ({ context }) => ({ id: present(context.removed, "what is deleted").id }),
            onDone: { target: "idle", actions: "takeOut" },
            onError: {
              target: "idle",
              actions: ["dropRemoved", { type: "keepFailure", params: ({ event }) => event }],
            },
          },
        },
        restoring: {
          tags: "saving",
          invoke: {
            src: "save",
            // It is a new one for the server.
            input: ({ context }) => ({ ...writtenOf(present(context.removed, "what was deleted")), revision: 0 }),
            onDone: { target: "idle", actions: [{ type: "keepSaved", params: ({ event }) => event }, "dropRemoved"] },
            onError: { target: "idle", actions: { type: "keepFailure", params: ({ event }) => event } },
          },
        },
      },
    },
  },
});

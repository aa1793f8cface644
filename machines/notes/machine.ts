import { assign, emit, fromPromise, setup } from "xstate";
import { isBlank, type Note, type NoteColour, type TimeRange } from "#contract/index.ts";
import type { Listed } from "#machines/collection/events.ts";
import { createLoading, type LoadingContext, type LoadingTag } from "#machines/collection/loading.ts";
import { codeOf, type Failed } from "#machines/failure.ts";
import { notProvided } from "#machines/not-provided.ts";
import { present } from "#machines/present.ts";
import { withEvent, withOutput } from "#machines/with-event.ts";
import type { NotesEmitted, NotesEvent } from "./events.ts";
import { type DraftChange, rebased, type WrittenNote, withNote, writtenOf } from "./rules.ts";

interface NotesInput {
  /** The draft that was stored when the page was left; null for none. */
  draft: WrittenNote | null;
}

/** Ordered by their beginning. */
type KnownNotes = Listed<Note>;

interface NotesContext extends NotesInput, LoadingContext<KnownNotes> {
  /** The selection in the text. */
  selected: TimeRange | null;
  /** The note that is being deleted or was deleted last, until the next note is saved. */
  removed: Note | null;
}

const loading = createLoading<KnownNotes, NotesContext, NotesEvent>();

const machineSetup = setup({
  types: {
    input: {} as NotesInput,
    context: {} as NotesContext,
    events: {} as NotesEvent,
    emitted: {} as NotesEmitted,
    /** `writing`: the form is open; `saving`: a request is in flight. */
    tags: {} as LoadingTag | "writing" | "saving",
  },
  actors: {
    ...loading.actors,
    /** Rejects with the code `conflict` when the note has another revision by now, with `tooManyAtOnce`, and others. */
    save: fromPromise<Note, WrittenNote>(async () => notProvided("save")),
    /** Also resolves for a note that is already gone. */
    remove: fromPromise<void, { id: string }>(async () => notProvided("remove")),
  },
  actions: {
    ...loading.actions,
    assignKnown: assign(({ context }, output: KnownNotes) => ({
      known: output,
      // Another tab may have restored the note.
      removed: output.items.some(({ id }) => id === context.removed?.id) ? null : context.removed,
    })),
    assignSelected: assign((_, { passage }: { passage: TimeRange | null }) => ({ selected: passage })),
    dropSelected: assign({ selected: null }),
    beginHighlight: assign(({ context }, { id, colour }: { id: string; colour: NoteColour }) => ({
      draft: { ...present(context.selected, "the selected passage"), id, revision: 0, colour, text: "" },
    })),
    beginNote: assign((_, { id, passage: { start, end } }: { id: string; passage: TimeRange }) => ({
      draft: { id, revision: 0, start, end, colour: null, text: "" },
    })),
    beginChange: assign(({ context }, { id }: { id: string }) => {
      const note = context.known?.items.find((one) => one.id === id);
      return note === undefined ? {} : { draft: writtenOf(note) };
    }),
    applyChange: assign(({ context }, { change }: { change: DraftChange }) => ({
      draft: { ...present(context.draft, "the draft"), ...change },
    })),
    rebaseDraft: assign(({ context }, { items }: KnownNotes) => ({
      draft: rebased(present(context.draft, "the draft"), items),
      failure: "conflict",
    })),
    assignSaved: assign(({ context }, output: Note) => ({
      known: { items: withNote(context.known?.items ?? [], output) },
    })),
    dropDraft: assign({ draft: null }),
    beginRemoval: assign(({ context }, { id }: { id: string }) => ({
      removed: context.known?.items.find((one) => one.id === id) ?? null,
    })),
    dropNote: assign({
      known: ({ context: { known, removed } }) => known && { items: known.items.filter(({ id }) => id !== removed?.id) },
    }),
    dropRemoved: assign({ removed: null }),
    refuseBlank: assign({ failure: "blank" }),
    emitSaved: emit({ type: "note.saved" }),
  },
  guards: {
    ...loading.guards,
    hasDraft: ({ context }) => context.draft !== null,
    isBlankDraft: ({ context }) => isBlank(present(context.draft, "the draft")),
    hasSelected: ({ context }) => context.selected !== null,
    hasRemoved: ({ context }) => context.removed !== null,
    hasNote: ({ context }, { id }: { id: string }) => context.known?.items.some((one) => one.id === id) === true,
    isConflict: (_, { error }: Failed) => codeOf(error) === "conflict",
  },
});

/** Sends the draft of the open form, or a highlight that is made without a form. */
const sending = machineSetup.createStateConfig({
  invoke: {
    src: "save",
    input: ({ context }) => present(context.draft, "the draft"),
    onDone: { target: "idle", actions: [withOutput("assignSaved"), "dropDraft", "dropSelected", "dropRemoved", "emitSaved"] },
    onError: [
      { guard: withEvent("isConflict"), target: "rereading" },
      { target: "writing", actions: withEvent("assignFailure") },
    ],
  },
});

/**
 * Highlights and notes on a transcript's passages: made from the selection, written in a form that survives a reload,
 * changed, and deleted with undo.
 */
export const notesMachine = machineSetup.createMachine({
  id: "notes",
  context: ({ input }) => ({ ...input, known: null, selected: null, removed: null, failure: null }),
  initial: "loading",
  states: {
    ...loading.states,
    loading: {
      ...loading.states.loading,
      invoke: {
        src: "load",
        onDone: [
          { guard: "hasDraft", target: "open.writing", actions: withOutput("assignKnown") },
          { target: "open", actions: withOutput("assignKnown") },
        ],
        onError: loading.states.loading.invoke.onError,
      },
    },
    open: {
      initial: "idle",
      on: { "passage.selected": { actions: withEvent("assignSelected") } },
      states: {
        idle: {
          ...loading.idle,
          on: {
            "highlight.requested": {
              guard: "hasSelected",
              target: "highlighting",
              actions: [withEvent("beginHighlight"), "clearFailure"],
            },
            "writing.requested": { target: "writing", actions: [withEvent("beginNote"), "clearFailure"] },
            "editing.requested": {
              guard: withEvent("hasNote"),
              target: "writing",
              actions: [withEvent("beginChange"), "clearFailure"],
            },
            "undo.requested": { guard: "hasRemoved", target: "restoring", actions: "clearFailure" },
            "removal.requested": {
              guard: withEvent("hasNote"),
              target: "removing",
              actions: [withEvent("beginRemoval"), "clearFailure"],
            },
          },
        },
        writing: {
          tags: "writing",
          on: {
            "draft.changed": { actions: withEvent("applyChange") },
            "save.requested": [
              { guard: "isBlankDraft", actions: "refuseBlank" },
              { target: "saving", actions: "clearFailure" },
            ],
            "draft.dismissed": { target: "idle", actions: ["dropDraft", "dropSelected", "clearFailure"] },
          },
        },
        saving: { ...sending, tags: ["writing", "saving"] },
        /** Saves a highlight without a form. The form opens if this fails. */
        highlighting: {
          tags: "saving",
          invoke: {
            ...sending.invoke,
            onError: { target: "writing", actions: withEvent("assignFailure") },
          },
        },
        /** The note was changed elsewhere: the server's version is shown, and saving once more replaces it. */
        rereading: {
          tags: ["writing", "saving"],
          invoke: {
            src: "load",
            onDone: { target: "writing", actions: [withOutput("assignKnown"), withOutput("rebaseDraft")] },
            onError: { target: "writing", actions: withEvent("assignFailure") },
          },
        },
        removing: {
          tags: "saving",
          invoke: {
            src: "remove",
            input: ({ context }) => ({ id: present(context.removed, "what is deleted").id }),
            onDone: { target: "idle", actions: "dropNote" },
            onError: { target: "idle", actions: ["dropRemoved", withEvent("assignFailure")] },
          },
        },
        restoring: {
          tags: "saving",
          invoke: {
            src: "save",
            // The server has deleted the note, so it is a new one.
            input: ({ context }) => ({ ...writtenOf(present(context.removed, "what was deleted")), revision: 0 }),
            onDone: { target: "idle", actions: [withOutput("assignSaved"), "dropRemoved"] },
            onError: { target: "idle", actions: withEvent("assignFailure") },
          },
        },
      },
    },
  },
});

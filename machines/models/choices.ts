import { assign, emit, fromPromise, type SnapshotFrom, setup } from "xstate";
import type { ModelChoices } from "#contract/index.ts";
import { codeOf, type Failed } from "#machines/failure.ts";
import { notProvided } from "#machines/not-provided.ts";
import { withEvent, withOutput } from "#machines/with-event.ts";

/** One changed choice. Null resets it: the server chooses automatically. */
export type ChoiceEdit =
  /** By language: the id of a model or an engine. */
  | { of: "live" | "files" | "voices"; key: string; value: string | null }
  /** By pair ("en>es"): the ids of engines in order. */
  | { of: "translation"; key: string; value: readonly string[] | null };

export type ModelChoicesEvent =
  /** The person chooses. */
  | { type: "choice.changed"; edit: ChoiceEdit }
  | { type: "retry.requested" }
  /** The person takes back what could not be saved. */
  | { type: "choice.discarded" };

/** Emitted to the page: all choices as the server has them now. */
export interface ModelChoicesEmitted {
  type: "choices.saved";
  choices: ModelChoices;
}

interface ModelChoicesContext {
  /** Not saved yet, oldest first. */
  edits: readonly ChoiceEdit[];
  /** How many of the edits are being saved. */
  sending: number;
  /** Why the last save failed: an error code of the contract. */
  error: string | null;
}

function withEntry<Value>(entries: Readonly<Record<string, Value>>, key: string, value: Value | null): Record<string, Value> {
  const others = Object.entries(entries).filter(([other]) => other !== key);
  return Object.fromEntries(value === null ? others : [...others, [key, value]]);
}

function withEdit(choices: ModelChoices, edit: ChoiceEdit): ModelChoices {
  if (edit.of !== "translation") return { ...choices, [edit.of]: withEntry(choices[edit.of], edit.key, edit.value) };
  const order = edit.value === null ? null : [...edit.value];
  return { ...choices, translation: withEntry(choices.translation, edit.key, order) };
}

/** The choices as they are with these edits. */
export const withEdits = (choices: ModelChoices, edits: readonly ChoiceEdit[]): ModelChoices => edits.reduce(withEdit, choices);

/**
 * Which model serves which language. Each change is saved at once. A change that can't be saved stays until it can, or
 * until the person undoes it.
 */
export const modelChoicesMachine = setup({
  types: {
    context: {} as ModelChoicesContext,
    events: {} as ModelChoicesEvent,
    emitted: {} as ModelChoicesEmitted,
  },
  actors: {
    /** Resolves when the server has these edits on top of its choices of that moment. */
    save: fromPromise<ModelChoices, { edits: readonly ChoiceEdit[] }>(async () => notProvided("save")),
  },
  actions: {
    addEdit: assign({ edits: ({ context }, { edit }: { edit: ChoiceEdit }) => [...context.edits, edit] }),
    noteSending: assign({ sending: ({ context }) => context.edits.length, error: null }),
    dropSent: assign({ edits: ({ context }) => context.edits.slice(context.sending), sending: 0 }),
    assignError: assign({ error: (_, { error }: Failed) => codeOf(error), sending: 0 }),
    discard: assign({ edits: [], error: null }),
    emitSaved: emit((_, output: ModelChoices): ModelChoicesEmitted => ({ type: "choices.saved", choices: output })),
  },
  guards: { hasMore: ({ context }) => context.edits.length > context.sending },
  delays: { savedShown: 4_000 },
}).createMachine({
  id: "modelChoices",
  context: { edits: [], sending: 0, error: null },
  initial: "resting",
  states: {
    resting: { on: { "choice.changed": { target: "saving", actions: withEvent("addEdit") } } },
    saving: {
      entry: "noteSending",
      invoke: {
        src: "save",
        input: ({ context }) => ({ edits: context.edits }),
        onDone: [
          { guard: "hasMore", target: "saving", reenter: true, actions: [withOutput("emitSaved"), "dropSent"] },
          { target: "saved", actions: [withOutput("emitSaved"), "dropSent"] },
        ],
        onError: { target: "failed", actions: withEvent("assignError") },
      },
      on: { "choice.changed": { actions: withEvent("addEdit") } },
    },
    /** "Saved" is shown for a moment. */
    saved: {
      after: { savedShown: "resting" },
      on: { "choice.changed": { target: "saving", actions: withEvent("addEdit") } },
    },
    failed: {
      on: {
        "choice.changed": { target: "saving", actions: withEvent("addEdit") },
        "retry.requested": "saving",
        "choice.discarded": { target: "resting", actions: "discard" },
      },
    },
  },
});

type Snapshot = SnapshotFrom<typeof modelChoicesMachine>;

export const selectEdits = ({ context }: Snapshot): readonly ChoiceEdit[] => context.edits;
/** The state of the last change, as the page shows it. */
export const selectSaveState = ({ value }: Snapshot): "resting" | "saving" | "saved" | "failed" => value;
/** An error code of the contract; null unless the last save failed. */
export const selectSaveError = ({ context }: Snapshot): string | null => context.error;

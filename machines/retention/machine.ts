import { assign, emit, fromPromise, type SnapshotFrom, setup } from "xstate";
import type { RetentionPreview, RetentionRule } from "#contract/index.ts";
import { codeOf, type Failed } from "#machines/failure.ts";
import { notProvided } from "#machines/not-provided.ts";
import { present } from "#machines/present.ts";
import { withEvent, withOutput } from "#machines/with-event.ts";

/** The person's choice in days; null means forever. */
export type RetentionDays = Pick<RetentionRule, "audioDays" | "textDays">;

export type RetentionEvent =
  /** The person chooses other days. */
  | { type: "days.changed"; days: RetentionDays }
  /** The person saves the choice. */
  | { type: "save.requested" }
  | { type: "reload.requested" };

/** Emitted to the form: the rule was saved. */
export type RetentionEmitted = { type: "rule.saved"; rule: RetentionRule };

interface RetentionInput {
  /** Null: transcripts without a folder. */
  folderId: string | null;
}

interface RetentionContext extends RetentionInput {
  /** The chosen days; null before the rule is loaded. */
  days: RetentionDays | null;
  /** What the choice would delete; null before it is known. */
  preview: RetentionPreview | null;
  /** Why the last call failed: an error code of the contract; null if it succeeded. */
  failure: string | null;
}

/**
 * How long the transcripts of a folder are kept. Before a choice is saved, the person sees what it would delete and
 * when.
 */
export const retentionMachine = setup({
  types: {
    input: {} as RetentionInput,
    context: {} as RetentionContext,
    events: {} as RetentionEvent,
    emitted: {} as RetentionEmitted,
    tags: {} as "loading" | "saving",
  },
  actors: {
    load: fromPromise<RetentionDays, RetentionInput>(async () => notProvided("load")),
    preview: fromPromise<RetentionPreview, RetentionRule>(async () => notProvided("preview")),
    save: fromPromise<void, RetentionRule>(async () => notProvided("save")),
  },
  actions: {
    assignDays: assign((_, { days }: { days: RetentionDays }) => ({ days, preview: null, failure: null })),
    assignPreview: assign({ preview: (_, preview: RetentionPreview) => preview }),
    assignFailure: assign({ failure: (_, { error }: Failed) => codeOf(error) }),
    clearFailure: assign({ failure: null }),
    emitSaved: emit(({ context }) => ({ type: "rule.saved", rule: ruleOf(context) })),
  },
}).createMachine({
  id: "retention",
  context: ({ input }) => ({ ...input, days: null, preview: null, failure: null }),
  initial: "loading",
  states: {
    loading: {
      tags: "loading",
      entry: "clearFailure",
      invoke: {
        src: "load",
        input: ({ context }) => ({ folderId: context.folderId }),
        onDone: { target: "choosing", actions: { type: "assignDays", params: ({ event }) => ({ days: event.output }) } },
        onError: { target: "failed", actions: withEvent("assignFailure") },
      },
    },
    failed: { on: { "reload.requested": "loading" } },
    choosing: {
      initial: "previewing",
      on: {
        "days.changed": { target: ".previewing", actions: withEvent("assignDays") },
      },
      states: {
        /** Loads what the choice would delete. Nothing is saved that was not previewed. */
        previewing: {
          invoke: {
            src: "preview",
            input: ({ context }) => ruleOf(context),
            onDone: { target: "shown", actions: withOutput("assignPreview") },
            onError: { target: "unknown", actions: withEvent("assignFailure") },
          },
        },
        shown: { on: { "save.requested": "#retention.saving" } },
        unknown: { on: { "reload.requested": { target: "previewing", actions: "clearFailure" } } },
      },
    },
    saving: {
      tags: "saving",
      entry: "clearFailure",
      invoke: {
        src: "save",
        input: ({ context }) => ruleOf(context),
        onDone: { target: "saved", actions: "emitSaved" },
        onError: { target: "choosing.shown", actions: withEvent("assignFailure") },
      },
    },
    saved: { type: "final" },
  },
});

const ruleOf = ({ folderId, days }: RetentionContext): RetentionRule => ({ folderId, ...present(days, "the days") });

type Snapshot = SnapshotFrom<typeof retentionMachine>;

export const selectIsLoading = (snapshot: Snapshot): boolean => snapshot.hasTag("loading");
export const selectIsSaving = (snapshot: Snapshot): boolean => snapshot.hasTag("saving");
/** Whether the preview is shown, so that the choice can be saved. */
export const selectCanSave = (snapshot: Snapshot): boolean => snapshot.matches({ choosing: "shown" });
/** Null before the rule that there is was loaded. */
export const selectDays = (snapshot: Snapshot): RetentionDays | null => snapshot.context.days;
/** What is chosen would delete this; null before it is known. */
export const selectPreview = (snapshot: Snapshot): RetentionPreview | null => snapshot.context.preview;
/** An error code of the contract; null unless the last call failed. */
export const selectFailure = (snapshot: Snapshot): string | null => snapshot.context.failure;
/** Whether loading or previewing can be retried. */
export const selectCanRetry = (snapshot: Snapshot): boolean => snapshot.can({ type: "reload.requested" });

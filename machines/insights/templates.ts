import { assign, emit, fromPromise, type SnapshotFrom, setup } from "xstate";
import type { Template, TemplateDraft } from "#contract/index.ts";
import { codeOf } from "#machines/failure.ts";
import { notProvided } from "#machines/not-provided.ts";
import { present } from "#machines/present.ts";

/** A template as it is to become; `id` null: a new one, `draft` null: it is deleted. */
export interface TemplateChange {
  id: string | null;
  draft: TemplateDraft | null;
}

export type TemplatesEvent =
  /** The person saves a new template, or a changed one. */
  | { type: "template.saved"; id: string | null; draft: TemplateDraft }
  | { type: "template.removed"; id: string }
  /** The person tries again after a failure to load. */
  | { type: "reload.requested" };

export type TemplatesEmitted =
  /** The form can be closed. */
  { type: "change.saved" };

interface TemplatesContext {
  templates: readonly Template[];
  /** What is being saved, or could not be. */
  change: TemplateChange | null;
  /** Why loading or saving failed. */
  failure: string | null;
}

/** A person's own templates of summaries: loads, saves and deletes them, one call at a time. */
export const templatesMachine = setup({
  types: {
    context: {} as TemplatesContext,
    events: {} as TemplatesEvent,
    emitted: {} as TemplatesEmitted,
  },
  actors: {
    load: fromPromise<readonly Template[]>(async () => notProvided("load")),
    /** Resolves with all of them. */
    save: fromPromise<readonly Template[], TemplateChange>(async () => notProvided("save")),
  },
  actions: {
    take: assign((_, { output }: { output: readonly Template[] }) => ({ templates: output, failure: null, change: null })),
    noteChange: assign((_, change: TemplateChange) => ({ change, failure: null })),
    noteFailure: assign({ failure: (_, { error }: { error: unknown }) => codeOf(error) }),
    emitSaved: emit({ type: "change.saved" } satisfies TemplatesEmitted),
  },
}).createMachine({
  id: "templates",
  context: { templates: [], change: null, failure: null },
  initial: "loading",
  states: {
    loading: {
      invoke: {
        src: "load",
        onDone: { target: "resting", actions: { type: "take", params: ({ event }) => event } },
        onError: { target: "unloaded", actions: { type: "noteFailure", params: ({ event }) => event } },
      },
    },
    unloaded: { on: { "reload.requested": "loading" } },
    resting: {
      on: {
        "template.saved": {
          target: "saving",
          actions: { type: "noteChange", params: ({ event: { id, draft } }) => ({ id, draft }) },
        },
        "template.removed": {
          target: "saving",
          actions: { type: "noteChange", params: ({ event: { id } }) => ({ id, draft: null }) },
        },
      },
    },
    saving: {
      invoke: {
        src: "save",
        input: ({ context }) => present(context.change, "what was changed"),
        onDone: { target: "resting", actions: [{ type: "take", params: ({ event }) => event }, "emitSaved"] },
        onError: { target: "resting", actions: { type: "noteFailure", params: ({ event }) => event } },
      },
    },
  },
});

type Snapshot = SnapshotFrom<typeof templatesMachine>;

export const selectTemplates = (snapshot: Snapshot): readonly Template[] => snapshot.context.templates;
export const selectIsSaving = (snapshot: Snapshot): boolean => snapshot.matches("saving");
/** Why loading, or the last change, failed. */
export const selectFailure = (snapshot: Snapshot): string | null => snapshot.context.failure;
export const selectIsUnloaded = (snapshot: Snapshot): boolean => snapshot.matches("unloaded");

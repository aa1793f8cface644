import { assign, emit, fromPromise, type SnapshotFrom, setup } from "xstate";
import type { FolderTemplateDraft, Template, TemplateDraft, TemplatesAnswer } from "#contract/index.ts";
import { codeOf, type Failed } from "#machines/failure.ts";
import { notProvided } from "#machines/not-provided.ts";
import { present } from "#machines/present.ts";
import { withEvent, withOutput } from "#machines/with-event.ts";

/** A change to be saved. */
export type TemplateChange =
  /** A template's new state. `id` null: a new template, `draft` null: a deletion. */
  | { type: "template"; id: string | null; draft: TemplateDraft | null }
  /** The template for summaries of a folder's transcripts; null: no template. */
  | ({ type: "default"; folderId: string } & FolderTemplateDraft);

export type TemplatesEvent =
  /** The person saves a new or changed template. */
  | { type: "template.saved"; id: string | null; draft: TemplateDraft }
  | { type: "template.removed"; id: string }
  /** The person chooses the template for a folder's transcripts, or none. */
  | ({ type: "default.chosen"; folderId: string } & FolderTemplateDraft)
  /** The person retries loading. */
  | { type: "reload.requested" };

export type TemplatesEmitted =
  /** The form can be closed. */
  { type: "change.saved" };

interface TemplatesContext {
  answer: TemplatesAnswer;
  /** The change that is being saved or that failed. */
  change: TemplateChange | null;
  /** Why loading or saving failed. */
  failure: string | null;
}

/**
 * A person's own templates for summaries, and their folders' templates: loads, saves and deletes them, one call at a
 * time.
 */
export const templatesMachine = setup({
  types: {
    context: {} as TemplatesContext,
    events: {} as TemplatesEvent,
    emitted: {} as TemplatesEmitted,
  },
  actors: {
    load: fromPromise<TemplatesAnswer>(async () => notProvided("load")),
    /** Resolves with all templates. */
    save: fromPromise<TemplatesAnswer, TemplateChange>(async () => notProvided("save")),
  },
  actions: {
    assignAnswer: assign((_, answer: TemplatesAnswer) => ({ answer, failure: null, change: null })),
    noteChange: assign((_, change: TemplateChange) => ({ change, failure: null })),
    noteFailure: assign({ failure: (_, { error }: Failed) => codeOf(error) }),
    emitSaved: emit({ type: "change.saved" } satisfies TemplatesEmitted),
  },
}).createMachine({
  id: "templates",
  context: { answer: { templates: [], defaults: [] }, change: null, failure: null },
  initial: "loading",
  states: {
    loading: {
      invoke: {
        src: "load",
        onDone: { target: "resting", actions: withOutput("assignAnswer") },
        onError: { target: "unloaded", actions: withEvent("noteFailure") },
      },
    },
    unloaded: { on: { "reload.requested": "loading" } },
    resting: {
      on: {
        "template.saved": {
          target: "saving",
          actions: { type: "noteChange", params: ({ event: { id, draft } }) => ({ type: "template", id, draft }) },
        },
        "template.removed": {
          target: "saving",
          actions: { type: "noteChange", params: ({ event: { id } }) => ({ type: "template", id, draft: null }) },
        },
        "default.chosen": {
          target: "saving",
          actions: {
            type: "noteChange",
            params: ({ event: { folderId, template } }) => ({ type: "default", folderId, template }),
          },
        },
      },
    },
    saving: {
      invoke: {
        src: "save",
        input: ({ context }) => present(context.change, "what was changed"),
        onDone: { target: "resting", actions: [withOutput("assignAnswer"), "emitSaved"] },
        onError: { target: "resting", actions: withEvent("noteFailure") },
      },
    },
  },
});

type Snapshot = SnapshotFrom<typeof templatesMachine>;

export const selectTemplates = (snapshot: Snapshot): readonly Template[] => snapshot.context.answer.templates;
/** The template for a folder's summaries, as chosen last; null: none, or no folder. */
export function selectDefault({ context: { answer, change, failure } }: Snapshot, folderId: string | null): string | null {
  if (change?.type === "default" && change.folderId === folderId && failure === null) return change.template;
  return answer.defaults.find((one) => one.folderId === folderId)?.template ?? null;
}
export const selectIsSaving = (snapshot: Snapshot): boolean => snapshot.matches("saving");
/** Why loading or the last change of a template failed. */
export const selectFailure = ({ context }: Snapshot): string | null =>
  context.change?.type === "default" ? null : context.failure;
/** Why the last choice for a folder could not be saved. */
export const selectDefaultFailure = ({ context }: Snapshot): string | null =>
  context.change?.type === "default" ? context.failure : null;
export const selectIsUnloaded = (snapshot: Snapshot): boolean => snapshot.matches("unloaded");

import { assign, emit, fromCallback, fromPromise, setup } from "xstate";
import type { ExportFormat, Segment, Transcription, TranscriptionSummary } from "../src/api/contract/index.ts";
import { codeOf } from "./failure.ts";
import type { FeedEvent } from "./feed.ts";
import { type Changes, type Draft, draftOf, isEmpty, merged, noChanges, shown } from "./transcription-changes.ts";

export type TranscriptionEvent =
  /** The person corrected a segment, or the whole text where there are no segments. */
  | { type: "segment.edited"; index: number; text: string }
  | { type: "text.edited"; text: string }
  | { type: "title.edited"; title: string }
  /** null: no translation any more. */
  | { type: "translation.requested"; targetLanguage: string | null }
  /** A failed transcription is to be tried again. */
  | { type: "retry.requested" }
  | { type: "save.requested" }
  | { type: "reload.requested" }
  | { type: "export.requested"; format: ExportFormat }
  | { type: "copy.requested" }
  /** The actor `news`: the row as it is now, and its segments when they are others. */
  | { type: "transcription.updated"; transcription: TranscriptionSummary; segments?: readonly Segment[] | undefined }
  /** The actor `wakeUps`: the connection is back, or the page is looked at again. */
  | { type: "woke" };

/** What the rest of the page hears. */
export type TranscriptionNews =
  | { type: "changed"; transcription: Transcription }
  | { type: "copied" }
  | { type: "save.failed" | "translation.failed" | "retry.failed" | "export.failed" | "copy.failed"; code: string };

interface TranscriptionContext {
  id: string;
  /** As the server has it. */
  saved: Transcription | null;
  /** As the person sees it: with what is not saved yet. */
  shown: Transcription | null;
  /** Waiting to be sent. */
  pending: Changes;
  /** On their way. */
  sending: Changes;
  /** Why it could not be loaded, or saved: codes of the contract. */
  loadError: string | null;
  saveError: string | null;
  /** What is exported, or was last. */
  format: ExportFormat;
}

const withShown = (context: Omit<TranscriptionContext, "shown">): TranscriptionContext => ({
  ...context,
  shown: context.saved && shown(context.saved, merged(context.sending, context.pending)),
});

/** One transcription: loaded, followed while the server works on it, corrected, translated, taken along. */
export const transcriptionMachine = setup({
  types: {
    context: {} as TranscriptionContext,
    events: {} as TranscriptionEvent,
    emitted: {} as TranscriptionNews,
    input: {} as { id: string; draft: Draft | null },
  },
  actors: {
    load: fromPromise<Transcription, { id: string }>(() => Promise.reject(new Error("load was not provided"))),
    save: fromPromise<Transcription, { id: string; changes: Changes }>(() => Promise.reject(new Error("save was not provided"))),
    exportFile: fromPromise<void, { id: string; format: ExportFormat }>(() =>
      Promise.reject(new Error("exportFile was not provided")),
    ),
    copyText: fromPromise<void, { text: string }>(() => Promise.reject(new Error("copyText was not provided"))),
    news: fromCallback<TranscriptionEvent, { id: string }>(() => {
      throw new Error("news was not provided");
    }),
    wakeUps: fromCallback<FeedEvent>(() => {
      throw new Error("wakeUps was not provided");
    }),
  },
  actions: {
    keepLoaded: assign(({ context }, { transcription }: { transcription: Transcription }) =>
      withShown({ ...context, saved: transcription, loadError: null }),
    ),
    keepNews: assign(({ context, event }) => {
      if (event.type !== "transcription.updated" || context.saved === null) return {};
      const segments = event.segments ?? context.saved.segments;
      return withShown({ ...context, saved: { ...context.saved, ...event.transcription, segments: [...segments] } });
    }),
    change: assign(({ context }, changes: Changes) => withShown({ ...context, pending: merged(context.pending, changes) })),
    beginSending: assign(({ context }) => ({ sending: context.pending, pending: noChanges })),
    keepSaved: assign(({ context }, { transcription }: { transcription: Transcription }) =>
      withShown({ ...context, saved: transcription, sending: noChanges, saveError: null }),
    ),
    /** What was typed waits again; what was only asked for is asked for anew by the person. */
    takeBack: assign(({ context }) =>
      withShown({ ...context, pending: merged(draftOf(context.sending), context.pending), sending: noChanges }),
    ),
    keepSaveError: assign({ saveError: (_, { error }: { error: unknown }) => codeOf(error) }),
    chooseFormat: assign({ format: (_, { format }: { format: ExportFormat }) => format }),
    keepLoadError: assign({ loadError: (_, { error }: { error: unknown }) => codeOf(error) }),
    tell: emit((_, news: TranscriptionNews) => news),
  },
  guards: {
    hasChanges: ({ context }) => !isEmpty(context.pending),
    askedForTranslation: ({ context }) => context.sending.targetLanguage !== undefined,
    askedForRetry: ({ context }) => context.sending.retry !== undefined,
    /** The person has been told. */
    failedBefore: ({ context }) => context.saveError !== null,
    isGone: (_, { error }: { error: unknown }) => ["notFound", "gone"].includes(codeOf(error)),
  },
  delays: { nextTry: 15_000 },
}).createMachine({
  id: "transcription",
  context: ({ input }) => ({
    id: input.id,
    saved: null,
    shown: null,
    pending: input.draft ?? noChanges,
    sending: noChanges,
    loadError: null,
    saveError: null,
    format: "txt",
  }),
  invoke: { src: "wakeUps" },
  initial: "loading",
  states: {
    loading: {
      invoke: {
        src: "load",
        input: ({ context }) => ({ id: context.id }),
        onDone: { target: "open", actions: { type: "keepLoaded", params: ({ event }) => ({ transcription: event.output }) } },
        onError: [
          { guard: { type: "isGone", params: ({ event }) => event }, target: "missing" },
          { target: "failed", actions: { type: "keepLoadError", params: ({ event }) => event } },
        ],
      },
    },
    missing: { on: { "reload.requested": "loading" } },
    failed: { on: { "reload.requested": "loading", woke: "loading" } },
    open: {
      type: "parallel",
      invoke: { src: "news", input: ({ context }) => ({ id: context.id }) },
      on: {
        "transcription.updated": { actions: "keepNews" },
        "segment.edited": {
          actions: { type: "change", params: ({ event: { index, text } }) => ({ edits: { [index]: text } }) },
        },
        "text.edited": { actions: { type: "change", params: ({ event: { text } }) => ({ text, edits: {} }) } },
        "title.edited": { actions: { type: "change", params: ({ event: { title } }) => ({ title, edits: {} }) } },
        "translation.requested": {
          actions: { type: "change", params: ({ event: { targetLanguage } }) => ({ targetLanguage, edits: {} }) },
        },
        "retry.requested": { actions: { type: "change", params: { retry: true, edits: {} } } },
      },
      states: {
        changes: {
          initial: "saved",
          states: {
            saved: { always: { guard: "hasChanges", target: "saving" } },
            saving: {
              entry: "beginSending",
              invoke: {
                src: "save",
                input: ({ context }) => ({ id: context.id, changes: context.sending }),
                onDone: {
                  target: "saved",
                  actions: [
                    { type: "keepSaved", params: ({ event }) => ({ transcription: event.output }) },
                    { type: "tell", params: ({ event }) => ({ type: "changed", transcription: event.output }) },
                  ],
                },
                onError: [
                  {
                    guard: { type: "isGone", params: ({ event }) => event },
                    target: "#transcription.missing",
                    actions: "takeBack",
                  },
                  {
                    guard: "askedForTranslation",
                    // What was typed with it is tried once more without it.
                    target: "saved",
                    actions: [
                      "takeBack",
                      { type: "tell", params: ({ event }) => ({ type: "translation.failed", code: codeOf(event.error) }) },
                    ],
                  },
                  {
                    guard: "askedForRetry",
                    target: "saved",
                    actions: [
                      "takeBack",
                      { type: "tell", params: ({ event }) => ({ type: "retry.failed", code: codeOf(event.error) }) },
                    ],
                  },
                  {
                    guard: "failedBefore",
                    target: "unsaved",
                    actions: ["takeBack", { type: "keepSaveError", params: ({ event }) => event }],
                  },
                  {
                    target: "unsaved",
                    actions: [
                      "takeBack",
                      { type: "keepSaveError", params: ({ event }) => event },
                      { type: "tell", params: ({ event }) => ({ type: "save.failed", code: codeOf(event.error) }) },
                    ],
                  },
                ],
              },
            },
            unsaved: {
              after: { nextTry: "saving" },
              on: {
                "save.requested": "saving",
                woke: "saving",
              },
            },
          },
        },
        output: {
          initial: "idle",
          states: {
            idle: {
              on: {
                "export.requested": { target: "exporting", actions: { type: "chooseFormat", params: ({ event }) => event } },
                "copy.requested": "copying",
              },
            },
            exporting: {
              invoke: {
                src: "exportFile",
                input: ({ context }) => ({ id: context.id, format: context.format }),
                onDone: "idle",
                onError: {
                  target: "idle",
                  actions: { type: "tell", params: ({ event }) => ({ type: "export.failed", code: codeOf(event.error) }) },
                },
              },
            },
            copying: {
              invoke: {
                src: "copyText",
                input: ({ context }) => ({ text: context.shown?.text ?? "" }),
                onDone: { target: "idle", actions: { type: "tell", params: { type: "copied" } } },
                onError: {
                  target: "idle",
                  actions: { type: "tell", params: ({ event }) => ({ type: "copy.failed", code: codeOf(event.error) }) },
                },
              },
            },
          },
        },
      },
    },
  },
});

type Snapshot = ReturnType<typeof transcriptionMachine.getInitialSnapshot>;

/** null until it is loaded. */
export const selectTranscription = (snapshot: Snapshot): Transcription | null => snapshot.context.shown;
export const selectIsMissing = (snapshot: Snapshot): boolean => snapshot.matches("missing");
/** A code of the contract; null unless the loading failed. */
export const selectLoadError = (snapshot: Snapshot): string | null =>
  snapshot.matches("failed") ? snapshot.context.loadError : null;
export const selectIsSaving = (snapshot: Snapshot): boolean => snapshot.matches({ open: { changes: "saving" } });
/** A code of the contract; null unless corrections wait that could not be saved. */
export const selectSaveError = (snapshot: Snapshot): string | null =>
  snapshot.matches({ open: { changes: "unsaved" } }) ? snapshot.context.saveError : null;
/** The language of a translation that is being made; undefined while none is, null while one is taken away. */
export const selectTranslatingTo = (snapshot: Snapshot): string | null | undefined => snapshot.context.sending.targetLanguage;
export const selectIsExporting = (snapshot: Snapshot): boolean => snapshot.matches({ open: { output: "exporting" } });
/** What was typed and is not saved; null when all is. */
export const selectDraft = (snapshot: Snapshot): Draft | null => {
  const { sending, pending } = snapshot.context;
  const draft = draftOf(merged(sending, pending));
  return isEmpty(draft) ? null : draft;
};

import { assign, emit, fromCallback, fromPromise, setup } from "xstate";
import type { SpeechLanguage, TranscriptionEvent as StreamEvent, Transcription } from "#contract/index.ts";
import {
  type AutosaveContext,
  type AutosaveEvent,
  type AutosaveTag,
  retryDelayMs,
  type SaveFailed,
  saveErrorOf,
  saveFailed,
  saveFailures,
  unsaved,
} from "#machines/autosave.ts";
import { codeOf, type Failed, isFinal, isGone } from "#machines/failure.ts";
import { notProvided } from "#machines/not-provided.ts";
import type { EventStreamEvent } from "#machines/transcriptions/event-stream.ts";
import { withEvent, withOutput } from "#machines/with-event.ts";
import { withAllBaseVersions } from "./base-versions.ts";
import {
  type Changes,
  type DraftSpans,
  draftOf,
  draftSpansIn,
  isEmpty,
  merged,
  noChanges,
  type PersistedDraft,
  typed,
} from "./changes.ts";
import { noHistory, type Step } from "./history.ts";
import { type RegroupEvent, type RegroupRefusal, refusalOf, seamOf } from "./regrouping.ts";
import {
  type EditEvent,
  type Edited,
  redoOf,
  undoOf,
  withDiscarded,
  withEdit,
  withRedone,
  withSaved,
  withSent,
  withShown,
  withUndone,
} from "./rules.ts";
import { type Spans, spansOf } from "./spans.ts";

export type TranscriptionEvent =
  | EditEvent
  | AutosaveEvent
  /** The person's input in an open field (a segment's index, or "text"); null when they closed it without saving. */
  | { type: "typing.changed"; key: string; text: string | null }
  | { type: "undo.requested" }
  | { type: "redo.requested" }
  /** null hides the translation. */
  | { type: "translation.requested"; targetLanguage: string | null }
  /** Retry a failed transcription. */
  | { type: "retry.requested" }
  /** Find out (again) who speaks: how many there are, null to find out. */
  | { type: "diarization.requested"; speakers: number | null }
  /** Recognize the audio again, on the server: the new text replaces this one. */
  | { type: "recognition.requested" }
  /** Recognize another audio track (its number, from 1): its text replaces this one. */
  | { type: "track.requested"; track: number; sourceLanguage: SpeechLanguage }
  | { type: "save.requested" }
  /** Changes that the server refuses are discarded. */
  | { type: "discard.requested" }
  | { type: "reload.requested" }
  /** The actor `updates`: the row as it is now, and its segments if they changed. */
  | ({ type: "transcription.updated" } & StreamEvent)
  /** The actor `updates`: it is shared with the person no longer. What they have not saved stays in the browser. */
  | { type: "access.withdrawn" };

/** Emitted to the rest of the page. */
export type TranscriptionEmitted =
  | { type: "transcription.changed"; transcription: Transcription }
  | { type: "edit.undone" | "edit.redone"; step: Step | undefined }
  /** The index of the new or the merged passage, and where the caret belongs in its text. */
  | { type: "passage.split" | "passage.merged"; index: number; caret: number }
  | { type: "regroup.refused"; reason: RegroupRefusal }
  | { type: "translation.failed" | "retry.failed" | "diarization.failed" | "recognition.failed"; code: string }
  | SaveFailed;

interface TranscriptionContext extends Edited, AutosaveContext {
  id: string;
  /** The pending changes that the server refused. */
  refused: Changes | null;
  /** The places of the segments in the draft, which was stored before this page was opened. */
  draftSpans: DraftSpans;
  /** Why loading failed: an error code of the contract. */
  loadError: string | null;
}

/** Typed text is pending again; other requests have to be repeated by the person. */
const withUndoneEdits = <C extends Edited>(context: C): C =>
  withShown({ ...context, pending: merged(draftOf(context.sending), context.pending), sending: noChanges });

function workOf({ sending: { targetLanguage, diarize, recognize, track } }: Edited) {
  if (targetLanguage !== undefined) return "translation.failed";
  if (diarize !== undefined) return "diarization.failed";
  return recognize === undefined && track === undefined ? "retry.failed" : "recognition.failed";
}

const refusalIn = ({ shown, typing }: Edited, event: RegroupEvent) => refusalOf(event, shown?.segments ?? [], typing);
const refusedRegroup = (context: Edited, event: RegroupEvent): TranscriptionEmitted => {
  return { type: "regroup.refused", reason: refusalIn(context, event) ?? "empty" };
};

const mergedPassage = ({ shown, typing }: Edited, index: number): TranscriptionEmitted => ({
  type: "passage.merged",
  index: index - 1,
  caret: seamOf(shown?.segments ?? [], typing, index),
});

/** One transcription: loaded, followed while the server processes it, corrected, translated, exported. */
export const transcriptionMachine = setup({
  types: {
    context: {} as TranscriptionContext,
    events: {} as TranscriptionEvent,
    emitted: {} as TranscriptionEmitted,
    tags: {} as AutosaveTag,
    input: {} as { id: string; draft: PersistedDraft | null },
  },
  actors: {
    load: fromPromise<Transcription, { id: string }>(async () => notProvided("load")),
    save: fromPromise<Transcription, { id: string; changes: Changes; based: Changes; spans: Spans }>(async () =>
      notProvided("save"),
    ),
    updates: fromCallback<TranscriptionEvent, { id: string }>(() => notProvided("updates")),
    wakeUps: fromCallback<EventStreamEvent>(() => notProvided("wakeUps")),
  },
  actions: {
    assignLoaded: assign(({ context }, transcription: Transcription) =>
      withSaved({ ...context, loadError: null }, transcription, context.saved === null ? context.draftSpans : undefined),
    ),
    mergeUpdate: assign(({ context }, { transcription, segments }: StreamEvent) => {
      if (context.saved === null) return {};
      return withSaved(context, { ...context.saved, ...transcription, segments: segments ?? context.saved.segments });
    }),
    edit: assign(({ context }, event: EditEvent) => withEdit(context, event)),
    undo: assign(({ context }) => withUndone(context)),
    redo: assign(({ context }) => withRedone(context)),
    assignTyping: assign({
      typing: ({ context }, { key, text }: { key: string; text: string | null }) => typed(context.typing, key, text),
      begun: ({ context }, { key, text }: { key: string; text: string | null }) =>
        text === null ? typed(context.begun, key, null) : context.begun,
    }),
    ask: assign(({ context }, changes: Changes) => withShown({ ...context, pending: merged(context.pending, changes) })),
    beginSending: assign(({ context }) => ({ sending: context.pending, pending: noChanges })),
    assignSaved: assign(({ context }, transcription: Transcription) => withSent({ ...context, saveError: null }, transcription)),
    takeBack: assign(({ context }) => withUndoneEdits(context)),
    assignSaveError: assign(saveErrorOf),
    refuse: assign(({ context }) => {
      const taken = withUndoneEdits(context);
      return { ...taken, refused: taken.pending };
    }),
    emitSaveFailed: emit(saveFailed),
    discard: assign(({ context }) => withDiscarded({ ...context, saveError: null })),
    assignLoadError: assign({ loadError: (_, { error }: Failed) => codeOf(error) }),
    emitEvent: emit((_, event: TranscriptionEmitted) => event),
  },
  guards: {
    hasChanges: ({ context }) => !isEmpty(context.pending),
    hasOtherChanges: ({ context }) => context.pending !== context.refused,
    canRegroup: ({ context }, event: RegroupEvent) => refusalIn(context, event) === null,
    canUndo: ({ context }) => undoOf(context) !== undefined,
    canRedo: ({ context }) => redoOf(context) !== undefined,
    /** More than storing input. */
    askedForWork: ({ context: { sending } }) =>
      [sending.targetLanguage, sending.retry, sending.diarize, sending.recognize, sending.track].some(
        (wish) => wish !== undefined,
      ),
    /** The person has seen the error. */
    failedBefore: ({ context }) => context.saveError !== null,
    isFinal: (_, { error }: Failed) => isFinal(error),
    isGone: (_, { error }: Failed) => isGone(error),
  },
  delays: { nextTry: retryDelayMs },
}).createMachine({
  id: "transcription",
  context: ({ input }) => ({
    id: input.id,
    saved: null,
    shown: null,
    pending: input.draft ? draftOf(input.draft) : noChanges,
    sending: noChanges,
    typing: input.draft?.typing ?? {},
    begun: input.draft?.begun ?? {},
    draftSpans: input.draft ? draftSpansIn(input.draft) : {},
    history: noHistory,
    refused: null,
    loadError: null,
    saveError: null,
  }),
  initial: "loading",
  states: {
    loading: {
      invoke: {
        src: "load",
        input: ({ context }) => ({ id: context.id }),
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
      invoke: { src: "updates", input: ({ context }) => ({ id: context.id }) },
      on: {
        "transcription.updated": { actions: withEvent("mergeUpdate") },
        "access.withdrawn": { target: "missing", actions: "takeBack" },
        "typing.changed": { actions: withEvent("assignTyping") },
        "segment.edited": { actions: withEvent("edit") },
        "text.edited": { actions: withEvent("edit") },
        "title.edited": { actions: withEvent("edit") },
        "segments.replaced": { actions: withEvent("edit") },
        "speaker.named": { actions: withEvent("edit") },
        "translation.edited": { actions: withEvent("edit") },
        "other.settled": { actions: withEvent("edit") },
        "word.confirmed": { actions: withEvent("edit") },
        "segment.split": [
          {
            guard: withEvent("canRegroup"),
            actions: [
              withEvent("edit"),
              { type: "emitEvent", params: ({ event }) => ({ type: "passage.split", index: event.index + 1, caret: 0 }) },
            ],
          },
          { actions: { type: "emitEvent", params: ({ context, event }) => refusedRegroup(context, event) } },
        ],
        "segment.merged": [
          {
            guard: withEvent("canRegroup"),
            actions: [
              { type: "emitEvent", params: ({ context, event: { index } }) => mergedPassage(context, index) },
              withEvent("edit"),
            ],
          },
          { actions: { type: "emitEvent", params: ({ context, event }) => refusedRegroup(context, event) } },
        ],
        "undo.requested": {
          guard: "canUndo",
          actions: [{ type: "emitEvent", params: ({ context }) => ({ type: "edit.undone", step: undoOf(context) }) }, "undo"],
        },
        "redo.requested": {
          guard: "canRedo",
          actions: [{ type: "emitEvent", params: ({ context }) => ({ type: "edit.redone", step: redoOf(context) }) }, "redo"],
        },
        "translation.requested": {
          actions: { type: "ask", params: ({ event: { targetLanguage } }) => ({ targetLanguage, edits: {} }) },
        },
        "diarization.requested": {
          actions: { type: "ask", params: ({ event: { speakers } }) => ({ diarize: { speakers }, edits: {} }) },
        },
        "recognition.requested": { actions: { type: "ask", params: { recognize: true, edits: {} } } },
        "track.requested": {
          actions: { type: "ask", params: ({ event: { track, sourceLanguage } }) => ({ track, sourceLanguage, edits: {} }) },
        },
        "retry.requested": { actions: { type: "ask", params: { retry: true, edits: {} } } },
      },
      initial: "saved",
      states: {
        saved: { always: { guard: "hasChanges", target: "saving" } },
        saving: {
          tags: "saving",
          entry: "beginSending",
          invoke: {
            src: "save",
            input: ({ context: { id, sending, saved } }) => ({
              id,
              changes: sending,
              based: withAllBaseVersions(sending, saved),
              spans: spansOf(saved?.segments ?? [], sending),
            }),
            onDone: {
              target: "saved",
              actions: [
                withOutput("assignSaved"),
                { type: "emitEvent", params: ({ event }) => ({ type: "transcription.changed", transcription: event.output }) },
              ],
            },
            onError: [
              { guard: withEvent("isGone"), target: "#transcription.missing", actions: "takeBack" },
              {
                guard: "askedForWork",
                // Text typed along with it is retried without it.
                target: "saved",
                actions: [
                  { type: "emitEvent", params: ({ context, event }) => ({ type: workOf(context), code: codeOf(event.error) }) },
                  "takeBack",
                ],
              },
              ...saveFailures,
            ],
          },
        },
        unsaved: { ...unsaved, on: { ...unsaved.on, "save.requested": "saving" } },
        /** The server would refuse the same every time: the person decides. */
        refused: {
          tags: "refused",
          always: { guard: "hasOtherChanges", target: "saving" },
          on: { "save.requested": "saving", "discard.requested": { target: "saved", actions: "discard" } },
        },
      },
    },
  },
});

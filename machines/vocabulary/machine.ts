import { assign, emit, fromCallback, fromPromise, not, type SnapshotFrom, setup } from "xstate";
import { type VocabularyAnswer, type VocabularyProblem, vocabularyProblem } from "#contract/index.ts";
import { type AutosaveContext, retryDelayMs, saveErrorOf, saveFailed, saveFailures, unsaved } from "#machines/autosave.ts";
import { codeOf, type Failed, isFinal, isNotOffered } from "#machines/failure.ts";
import { notProvided } from "#machines/not-provided.ts";
import { present } from "#machines/present.ts";
import { withEvent, withOutput } from "#machines/with-event.ts";
import type { VocabularyEmitted, VocabularyEvent, VocabularyTag } from "./events.ts";
import { merged, withLines } from "./rules.ts";

/** After this time without typing it is saved (ms). */
export const autosavePauseMs = 1_000;

interface VocabularyContext extends AutosaveContext {
  /** The text in the field. */
  text: string;
  /** The server's version; null before it is loaded. */
  saved: VocabularyAnswer | null;
  /** Why the text can't be saved; null if it can. */
  problem: VocabularyProblem | null;
  /** The text that is being saved. */
  sending: string;
  /** The file whose lines are being added. */
  file: (Blob & { name: string }) | null;
  /** Why loading failed: an error code of the contract. */
  loadError: string | null;
}

const shownAs = (text: string) => ({ text, problem: vocabularyProblem(text) });

/**
 * A person's vocabulary: loaded, edited, saved automatically, with lines from files. Changes from elsewhere are merged.
 */
export const vocabularyMachine = setup({
  types: {
    context: {} as VocabularyContext,
    events: {} as VocabularyEvent,
    emitted: {} as VocabularyEmitted,
    tags: {} as VocabularyTag,
  },
  actors: {
    load: fromPromise<VocabularyAnswer>(async () => notProvided("load")),
    /** Rejects with the code `conflict` when it has another revision by now. */
    save: fromPromise<VocabularyAnswer, VocabularyAnswer>(async () => notProvided("save")),
    /** The lines of a file, as the vocabulary writes them; rejects with `tooLarge` and `badRequest`. */
    readLines: fromPromise<string, { file: Blob & { name: string } }>(async () => notProvided("readLines")),
    wakeUps: fromCallback<VocabularyEvent>(() => notProvided("wakeUps")),
  },
  actions: {
    assignLoaded: assign((_, saved: VocabularyAnswer) => ({ saved, ...shownAs(saved.text), loadError: null })),
    assignLoadError: assign({ loadError: (_, { error }: Failed) => codeOf(error) }),
    assignText: assign((_, { text }: { text: string }) => shownAs(text)),
    assignFile: assign({ file: (_, { file }: { file: VocabularyContext["file"] }) => file }),
    addLines: assign(({ context }, output: string) => ({
      ...shownAs(withLines(context.text, output).text),
      file: null,
    })),
    dropFile: assign({ file: null }),
    beginSending: assign({ sending: ({ context }) => context.text }),
    assignSaved: assign({ saved: (_, saved: VocabularyAnswer) => saved, saveError: null }),
    mergeServerVersion: assign(({ context: { saved, text } }, theirs: VocabularyAnswer) => ({
      saved: theirs,
      ...shownAs(merged(saved?.text ?? "", theirs.text, text)),
    })),
    /** The text is pending as long as it differs from the saved one. */
    takeBack: () => undefined,
    refuse: () => undefined,
    assignSaveError: assign(saveErrorOf),
    emitSaveFailed: emit(saveFailed),
    emitEvent: emit((_, event: VocabularyEmitted) => event),
  },
  guards: {
    isNotOffered: (_, { error }: Failed) => isNotOffered(error),
    isConflict: (_, { error }: Failed) => codeOf(error) === "conflict",
    isFinal: (_, { error }: Failed) => isFinal(error),
    failedBefore: ({ context }) => context.saveError !== null,
    isChanged: ({ context: { text, saved } }) => text !== saved?.text,
    isTooLong: ({ context }) => context.problem !== null,
  },
  delays: { autosavePause: autosavePauseMs, nextTry: retryDelayMs },
}).createMachine({
  id: "vocabulary",
  context: { text: "", saved: null, problem: null, sending: "", file: null, loadError: null, saveError: null },
  initial: "loading",
  states: {
    loading: {
      invoke: {
        src: "load",
        onDone: { target: "open", actions: withOutput("assignLoaded") },
        onError: [
          { guard: withEvent("isNotOffered"), target: "unavailable" },
          { target: "failed", actions: withEvent("assignLoadError") },
        ],
      },
    },
    unavailable: { tags: "unavailable" },
    failed: { invoke: { src: "wakeUps" }, on: { "reload.requested": "loading", "page.resumed": "loading" } },
    open: {
      type: "parallel",
      states: {
        text: {
          initial: "saved",
          on: { "text.changed": { target: ".edited", actions: withEvent("assignText") } },
          states: {
            saved: { always: { guard: "isChanged", target: "edited" } },
            edited: {
              always: [
                { guard: not("isChanged"), target: "saved" },
                { guard: "isTooLong", target: "tooLong" },
              ],
              after: { autosavePause: "saving" },
              on: {
                "save.requested": "saving",
                "text.changed": { target: "edited", reenter: true, actions: withEvent("assignText") },
              },
            },
            /** Beyond the limits: it is not sent before it is changed. */
            tooLong: {},
            saving: {
              tags: "saving",
              entry: "beginSending",
              on: { "text.changed": { actions: withEvent("assignText") } },
              invoke: {
                src: "save",
                input: ({ context: { sending, saved } }) => ({
                  text: sending,
                  revision: present(saved, "the saved vocabulary").revision,
                }),
                onDone: { target: "edited", actions: withOutput("assignSaved") },
                onError: [{ guard: withEvent("isConflict"), target: "merging" }, ...saveFailures],
              },
            },
            /** The vocabulary was changed elsewhere: the lines of both versions are kept. */
            merging: {
              tags: "saving",
              on: { "text.changed": { actions: withEvent("assignText") } },
              invoke: {
                src: "load",
                onDone: {
                  target: "edited",
                  actions: [withOutput("mergeServerVersion"), { type: "emitEvent", params: { type: "vocabulary.merged" } }],
                },
                onError: saveFailures,
              },
            },
            unsaved: {
              ...unsaved,
              always: { guard: "isTooLong", target: "tooLong" },
              on: { ...unsaved.on, "save.requested": "saving" },
            },
            /** The server would refuse the same every time: it has to be changed. */
            refused: {
              tags: "refused",
              always: { guard: "isTooLong", target: "tooLong" },
              on: { "save.requested": "saving" },
            },
          },
        },
        file: {
          initial: "none",
          states: {
            none: {
              on: { "file.chosen": { target: "reading", actions: withEvent("assignFile") } },
            },
            reading: {
              invoke: {
                src: "readLines",
                input: ({ context }) => ({ file: present(context.file, "the chosen file") }),
                onDone: {
                  target: "none",
                  actions: [
                    {
                      type: "emitEvent",
                      params: ({ context, event }) => ({
                        type: "lines.imported",
                        count: withLines(context.text, event.output).count,
                      }),
                    },
                    withOutput("addLines"),
                  ],
                },
                onError: {
                  target: "none",
                  actions: [
                    "dropFile",
                    { type: "emitEvent", params: ({ event }) => ({ type: "import.failed", code: codeOf(event.error) }) },
                  ],
                },
              },
            },
          },
        },
      },
    },
  },
});

type Snapshot = SnapshotFrom<typeof vocabularyMachine>;

export const selectText = (snapshot: Snapshot): string => snapshot.context.text;
export const selectIsOpen = (snapshot: Snapshot): boolean => snapshot.matches("open");
export const selectIsLoading = (snapshot: Snapshot): boolean => snapshot.matches("loading");
export const selectIsUnavailable = (snapshot: Snapshot): boolean => snapshot.hasTag("unavailable");
/** An error code of the contract; null unless loading failed. */
export const selectLoadError = (snapshot: Snapshot): string | null =>
  snapshot.matches("failed") ? snapshot.context.loadError : null;
/** Why the text can't be saved; null if it can. */
export const selectProblem = (snapshot: Snapshot): VocabularyProblem | null => snapshot.context.problem;
export const selectIsSaving = (snapshot: Snapshot): boolean => snapshot.hasTag("saving");
/** Whether all of the text is saved, or it is empty. */
export const selectIsSaved = (snapshot: Snapshot): boolean => snapshot.matches({ open: { text: "saved" } });
/** An error code of the contract; null unless the text could not be saved. */
export const selectSaveError = (snapshot: Snapshot): string | null =>
  snapshot.hasTag("unsaved") || snapshot.hasTag("refused") ? snapshot.context.saveError : null;

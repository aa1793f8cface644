import { assign, emit, fromCallback, fromPromise, setup } from "xstate";
import { codeOf, type Failed } from "#machines/failure.ts";
import { notProvided } from "#machines/not-provided.ts";
import { withEvent } from "#machines/with-event.ts";

// The shared parts of documents that save themselves (a transcription, a blog post): how a save fails, and what
// follows.

/** The context of a machine that saves. */
export interface AutosaveContext {
  /** Why the last save failed, a code of the contract; null after a success. */
  saveError: string | null;
}

export type AutosaveEvent =
  /** The actor `wakeUps`: the network is back, or the page is visible again. */
  { type: "page.resumed" };

/** Emitted to the rest of the page: a save failed. Repeated failures are not emitted. */
export interface SaveFailed {
  type: "save.failed";
  code: string;
}

/** The tags that a view reads: a save is in flight, it failed, or the server would refuse it again. */
export type AutosaveTag = "saving" | "unsaved" | "refused";

/** A failed save is retried after this time (ms). */
export const retryDelayMs = 15_000;

/** For the action `assignSaveError`: `assign(saveErrorOf)`. */
export const saveErrorOf = (_: unknown, { error }: Failed): AutosaveContext => ({ saveError: codeOf(error) });
/** For the action `emitSaveFailed`: `emit(saveFailed)`. */
export const saveFailed = (_: unknown, { error }: Failed): SaveFailed => ({ type: "save.failed", code: codeOf(error) });

/** A machine with these states declares the same names in its own setup. */
const { createStateConfig } = setup({
  types: {
    context: {} as AutosaveContext,
    events: {} as AutosaveEvent,
    emitted: {} as SaveFailed,
    tags: {} as AutosaveTag,
  },
  actors: {
    save: fromPromise<unknown>(async () => notProvided("save")),
    wakeUps: fromCallback<AutosaveEvent>(() => notProvided("wakeUps")),
  },
  actions: {
    /** Marks the sent changes as pending again. */
    takeBack: () => notProvided("takeBack"),
    /** Stops retrying the sent changes. */
    refuse: () => notProvided("refuse"),
    assignSaveError: assign(saveErrorOf),
    emitSaveFailed: emit(saveFailed),
  },
  guards: {
    /** Whether the server would refuse the same changes again. */
    isFinal: (_, _failed: Failed): boolean => notProvided("isFinal"),
    /** Whether the person has already seen the error. */
    failedBefore: ({ context }) => context.saveError !== null,
  },
  delays: { nextTry: retryDelayMs },
});

const saving = createStateConfig({
  invoke: {
    src: "save",
    onError: [
      { guard: withEvent("isFinal"), target: "refused", actions: ["refuse", withEvent("assignSaveError")] },
      { guard: "failedBefore", target: "unsaved", actions: ["takeBack", withEvent("assignSaveError")] },
      { target: "unsaved", actions: ["takeBack", withEvent("assignSaveError"), withEvent("emitSaveFailed")] },
    ],
  },
});

/** The transitions for a failed save in the state `saving`. A machine's own reasons come before these. */
export const saveFailures = saving.invoke.onError;

/** The last save failed. It is retried after a delay, and when the page is resumed. */
export const unsaved = createStateConfig({
  tags: "unsaved",
  invoke: { src: "wakeUps" },
  after: { nextTry: "saving" },
  on: { "page.resumed": "saving" },
});

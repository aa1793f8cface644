import { assign, emit, fromCallback, fromPromise, setup } from "xstate";
import { codeOf, type Failed } from "#machines/failure.ts";
import { notProvided } from "#machines/not-provided.ts";
import { withEvent } from "#machines/with-event.ts";

// What documents that save themselves (a transcription, a post of the blog) have in common: how a save fails, and what follows.

/** Of a machine that saves. */
export interface AutosaveContext {
  /** Why the last save failed, a code of the contract; null since one succeeded. */
  saveError: string | null;
}

export type AutosaveEvent =
  /** The actor `wakeUps`: the network is back, or the page is visible again. */
  { type: "page.resumed" };

/** Emitted to the rest of the page: a save failed; those that fail after it are not emitted. */
export interface SaveFailed {
  type: "save.failed";
  code: string;
}

/** What a view asks for: a save is in flight, it failed, or the server would refuse it again. */
export type AutosaveTag = "saving" | "unsaved" | "refused";

/** A failed save is retried after this time (ms). */
export const retryDelayMs = 15_000;

/** For the action `assignSaveError`: `assign(saveErrorOf)`. */
export const saveErrorOf = (_: unknown, { error }: Failed): AutosaveContext => ({ saveError: codeOf(error) });
/** For the action `emitSaveFailed`: `emit(saveFailed)`. */
export const saveFailed = (_: unknown, { error }: Failed): SaveFailed => ({ type: "save.failed", code: codeOf(error) });

/** A machine with these states has the same names in its own setup. */
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
    /** What was sent is pending again. */
    takeBack: () => notProvided("takeBack"),
    /** What was sent is not sent again by itself. */
    refuse: () => notProvided("refuse"),
    assignSaveError: assign(saveErrorOf),
    emitSaveFailed: emit(saveFailed),
  },
  guards: {
    /** The server would refuse the same again. */
    isFinal: (_, _failed: Failed): boolean => notProvided("isFinal"),
    /** The person has seen the error. */
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

/** How a save fails, in the state `saving`; a machine's own reasons come before these. */
export const saveFailures = saving.invoke.onError;

/** The last save failed: it is retried after a while, and when the page is resumed. */
export const unsaved = createStateConfig({
  tags: "unsaved",
  invoke: { src: "wakeUps" },
  after: { nextTry: "saving" },
  on: { "page.resumed": "saving" },
});

import type { Message, SubmissionResult } from "#machines/submission.ts";
import { createStore, type ReadableStore } from "#src/browser/store.ts";
import { type AccountForm, createButtonForm } from "./forms.ts";

/** One part of a page: a form that can be submitted repeatedly. */
export interface PartState {
  form: AccountForm;
  /** The message of the last success. */
  said: Message | null;
  /** The number of successes so far. */
  completions: number;
}
export interface Part extends ReadableStore<PartState> {
  /** Discards the last message. */
  clearMessage(): void;
  /** Discards the typed values and the last message. */
  restart(): void;
  stop(): void;
}

/** Replaces a completed form by a new one. The caller stops it. */
export function createPart(make: () => AccountForm): Part {
  const begin = (): AccountForm => {
    const form = make();
    form.on("submission.done", ({ message = null }) => {
      state.set({ form: begin(), said: message, completions: state.get().completions + 1 });
    });
    return form;
  };
  const state = createStore<PartState>({ form: begin(), said: null, completions: 0 });
  return {
    get: state.get,
    subscribe: state.subscribe,
    clearMessage: () => state.set({ ...state.get(), said: null }),
    restart: () => {
      state.get().form.stop();
      state.set({ ...state.get(), form: begin(), said: null });
    },
    stop: () => state.get().form.stop(),
  };
}

/** A part without fields. */
export const button = (submit: (signal: AbortSignal) => Promise<SubmissionResult>): Part =>
  createPart(() => createButtonForm(submit));

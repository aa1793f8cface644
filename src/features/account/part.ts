import type { Message, SubmissionResult, Values } from "#machines/submission.ts";
import { createStore, type ReadableStore } from "#src/browser/store.ts";
import { type AccountForm, createForm } from "./forms.ts";

/** One part of a page: a form that is sent again and again. */
export interface PartState {
  form: AccountForm;
  /** What came of it when it last worked. */
  said: Message | null;
  /** How often it has worked. */
  completions: number;
}
export interface Part extends ReadableStore<PartState> {
  /** What came of it does not count any more. */
  clearMessage(): void;
  stop(): void;
}

/** A new form takes the place of one that is done. The caller stops it. */
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
    ...{ get: state.get, subscribe: state.subscribe },
    clearMessage: () => state.set({ ...state.get(), said: null }),
    stop: () => state.get().form.stop(),
  };
}

/** What is said when the server says nothing itself. */
const failed = { key: "account.mailFailed", keyWithStatus: "account.mailFailed" };
const nothingWrong = (): Values => ({});

/** Nothing to fill in. */
export const button = (submit: (signal: AbortSignal) => Promise<SubmissionResult>): Part =>
  createPart(() => createForm({}, nothingWrong, failed, (_, signal) => submit(signal)));

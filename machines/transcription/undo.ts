import type { Transcription } from "#contract/index.ts";
import { type Draft, isSame, reverseOf } from "./changes.ts";

/** What a person did, as they would call it. */
export type StepKind = "correction" | "text" | "title" | "replacement" | "speaker";

/** One thing that can be undone, however many segments it changed. */
export interface Step {
  kind: StepKind;
  /** The first segment that it changed; null for what is not in a segment. */
  index: number | null;
  /** How many segments it changed. */
  count: number;
  undo: Draft;
  redo: Draft;
}

export interface History {
  /** The last step stands last. */
  done: readonly Step[];
  /** What was undone last stands last. */
  undone: readonly Step[];
}

export const noHistory: History = { done: [], undone: [] };

/** Older ones are forgotten. */
export const maxSteps = 200;

/**
 * Remembers a change. What was undone before can't be done again after it.
 * @param now the transcription as it is shown before the change
 */
export function recorded(history: History, kind: StepKind, redo: Draft, now: Transcription): History {
  const undo = reverseOf(redo, now);
  if (isSame(undo, redo)) return history;
  const indices = Object.keys({ ...undo.edits, ...undo.speakers }).map(Number);
  const step = { kind, index: indices.length === 0 ? null : Math.min(...indices), count: indices.length, undo, redo };
  return { done: [...history.done, step].slice(-maxSteps), undone: [] };
}

/** The history after its last step was undone; that step comes with it. undefined when there is none. */
export function steppedBack({ done, undone }: History): { history: History; step: Step } | undefined {
  const step = done.at(-1);
  return step && { history: { done: done.slice(0, -1), undone: [...undone, step] }, step };
}

/** The other way. */
export function steppedForward({ done, undone }: History): { history: History; step: Step } | undefined {
  const step = undone.at(-1);
  return step && { history: { done: [...done, step], undone: undone.slice(0, -1) }, step };
}

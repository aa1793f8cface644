import type { Regroup, Segment, Transcription, WordMark } from "#contract/index.ts";
import { smallest } from "#contract/lists.ts";
import { type Draft, isSame } from "./changes.ts";
import { passageOf, placesAfter, touchedBy } from "./passages.ts";

/**
 * The inverse of `draft`: restores the shown state.
 * @param saved the server's version: a translation that still fits is restored, too
 */
export function reverseOf(draft: Draft, now: Transcription, saved: Transcription | null = now): Draft {
  const { title, text, edits, speakers, translations, regroups, words, others } = draft;
  const at = (index: string) => now.segments[Number(index)];
  const back = <Value>(changed: object, value: (index: string) => Value) =>
    Object.fromEntries(Object.keys(changed).flatMap((index) => (at(index) === undefined ? [] : [[index, value(index)]])));
  return {
    ...(title === undefined ? {} : { title: now.title }),
    ...(text === undefined ? {} : { text: now.text }),
    edits: back(edits, (index) => at(index)?.text ?? ""),
    ...(speakers === undefined ? {} : { speakers: back(speakers, (index) => at(index)?.speaker ?? null) }),
    ...(translations && { translations: back(translations, (index) => at(index)?.translation ?? "") }),
    ...(words === undefined ? {} : { words: wordsBefore(words, now.segments) }),
    ...(others === undefined ? {} : { others: flipped(others) }),
    ...(regroups === undefined ? {} : { regroups: reversed(regroups, now.segments, saved?.segments ?? []) }),
  };
}

const flipped = (others: NonNullable<Draft["others"]>): NonNullable<Draft["others"]> =>
  Object.fromEntries(Object.entries(others).map(([id, one]) => [id, { ...one, present: !one.present }]));

const indexOfWord = (segments: readonly Segment[], { start, text }: WordMark): number =>
  segments.findIndex(({ words }) => words.some((word) => word.start === start && word.text === text));

function wordsBefore(marks: NonNullable<Draft["words"]>, now: readonly Segment[]): Record<string, WordMark> {
  const before = Object.entries(marks).map(([key, mark]) => {
    const word = now[indexOfWord(now, mark)]?.words.find(({ start, text }) => start === mark.start && text === mark.text);
    return [key, { ...mark, confidence: word?.confidence ?? null }];
  });
  return Object.fromEntries(before);
}

/** The regroups that restore segments to their state before some regroups. */
function reversed(regroups: readonly Regroup[], now: readonly Segment[], saved: readonly Segment[]): Regroup[] {
  const places = placesAfter(regroups);
  const isSaved = (segment: Segment) =>
    saved.some(({ start, end, text }) => start === segment.start && end === segment.end && text === segment.text);
  return regroups.map(({ index, count, passages }, at) => ({
    index: places[at] ?? index,
    count: passages.length,
    passages: now.slice(index, index + count).map((segment) => passageOf(segment, { translation: isSaved(segment) })),
  }));
}

/** The kind of an edit, in the person's terms. */
export type StepKind =
  | "correction"
  | "text"
  | "title"
  | "replacement"
  | "speaker"
  | "split"
  | "merge"
  | "word"
  | "translation"
  | "choice";

/** One undoable step, which may change several segments. */
export interface Step {
  kind: StepKind;
  /** The first changed segment; null for a change outside of segments. */
  index: number | null;
  /** The number of changed segments. */
  count: number;
  undo: Draft;
  redo: Draft;
  /** The language of the shown translation, to which the step's translations belong. */
  language: string | null;
}

export interface History {
  /** The last step is at the end. */
  done: readonly Step[];
  /** The last undone step is at the end. */
  undone: readonly Step[];
}

export const noHistory: History = { done: [], undone: [] };

/** Older ones are dropped. */
const maxSteps = 200;

/**
 * Records a change and clears the redo steps.
 * @param versions the transcription before the change: as it is shown, and as the server has it
 */
export function recorded(
  history: History,
  kind: StepKind,
  redo: Draft,
  { shown, saved }: { shown: Transcription; saved: Transcription | null },
): History {
  const undo = reverseOf(redo, shown, saved);
  if (isSame(undo, redo)) return history;
  const marked = Object.values(redo.words ?? {}).map((mark) => indexOfWord(shown.segments, mark));
  const indices = new Set([
    ...Object.keys({ ...undo.edits, ...undo.speakers, ...undo.translations }).map(Number),
    ...touchedBy(redo.regroups),
    ...(Object.keys(undo.edits).length > 0 ? [] : Object.values(redo.others ?? {}).map(({ index }) => index)),
    ...marked,
  ]);
  const index = indices.size === 0 ? null : smallest(indices);
  const step = { kind, index, count: indices.size, undo, redo, language: shown.targetLanguage };
  return { done: [...history.done, step].slice(-maxSteps), undone: [] };
}

/** Whether a step changes something that is shown with this translation (null: with none). */
const isShownIn =
  (language: string | null) =>
  ({ kind, language: own }: Step): boolean =>
    kind !== "translation" || own === language;

/** The last step of some that changes something that is shown with this translation. */
export const lastIn = (steps: readonly Step[], language: string | null): Step | undefined => steps.findLast(isShownIn(language));

/** Without all that is about a translation into another language than this, which is hidden. */
export function inLanguage({ done, undone }: History, language: string | null): History {
  const shown = (steps: readonly Step[]) =>
    steps
      .filter(isShownIn(language))
      .map((step) =>
        step.language === language ? step : { ...step, undo: untranslated(step.undo), redo: untranslated(step.redo) },
      );
  return { done: shown(done), undone: shown(undone) };
}

function untranslated({ regroups, ...draft }: Draft): Draft {
  if (regroups === undefined) return draft;
  const bare = ({ translation: _, ...passage }: Regroup["passages"][number]) => passage;
  return { ...draft, regroups: regroups.map((regroup) => ({ ...regroup, passages: regroup.passages.map(bare) })) };
}

/** The history without its last step, and that step; undefined if there is none. */
export function steppedBack({ done, undone }: History): { history: History; step: Step } | undefined {
  const step = done.at(-1);
  return step && { history: { done: done.slice(0, -1), undone: [...undone, step] }, step };
}

/** The same for redo. */
export function steppedForward({ done, undone }: History): { history: History; step: Step } | undefined {
  const step = undone.at(-1);
  return step && { history: { done: [...done, step], undone: undone.slice(0, -1) }, step };
}

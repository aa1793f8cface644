import type { Segment, Transcription } from "#contract/index.ts";
import { followed, type Spans, spansOf } from "./spans.ts";

/** Changes that are not saved on the server. */
export interface Changes {
  title?: string;
  /** The whole text, where there are no segments. */
  text?: string;
  /** By the segment's index. */
  edits: Readonly<Record<number, string>>;
  /** The speaker, by the segment's index; null for an unnamed one. */
  speakers?: Readonly<Record<number, string | null>>;
  /** A requested translation; null removes it. */
  targetLanguage?: string | null;
  retry?: true;
  /** Finding out who speaks: how many there are, null to find out. */
  diarize?: { speakers: number | null };
}

/** What can be undone: edits, not requests to the server. */
export type Draft = Pick<Changes, "title" | "text" | "edits" | "speakers">;

/** The contents of fields open for correction: by the segment's index, or "text" where there are no segments. */
export type Typing = Readonly<Record<string, string>>;

/** Persisted in the browser until it is saved. */
export interface PersistedDraft extends Draft {
  typing?: Typing;
  /** Where the named segments were; absent in drafts of earlier versions. */
  spans?: Spans;
}

export const noChanges: Changes = { edits: {} };
export const noTyping: Typing = {};

export const isEmpty = (changes: Changes): boolean =>
  Object.keys(changes).length === 1 && Object.keys(changes.edits).length === 0;

/** `later` wins where both change the same. */
export const merged = (earlier: Changes, later: Changes): Changes => ({
  ...earlier,
  ...later,
  edits: { ...earlier.edits, ...later.edits },
  ...(earlier.speakers && later.speakers ? { speakers: { ...earlier.speakers, ...later.speakers } } : {}),
});

/** Whether everything that a change touches is the same in `other`. */
export function isSame(one: Draft, other: Draft): boolean {
  const same = (a: object = {}, b: object = {}) => {
    const values = new Map(Object.entries(b));
    return Object.entries(a).every(([index, value]) => values.get(index) === value);
  };
  return (
    one.title === other.title && one.text === other.text && same(one.edits, other.edits) && same(one.speakers, other.speakers)
  );
}

export function draftOf({ title, text, edits, speakers }: Changes): Draft {
  return {
    ...(title === undefined ? {} : { title }),
    ...(text === undefined ? {} : { text }),
    edits,
    ...(speakers === undefined ? {} : { speakers }),
  };
}

/**
 * The changes and open fields to persist: those that differ from the transcription; null for none.
 * @param now the transcription as it is shown; null before it is loaded
 * @param before where the named segments were when the draft was kept, until it is loaded
 */
export function draftOfChanges(
  changes: Changes,
  typing: Typing,
  now: Transcription | null,
  before: Spans = {},
): PersistedDraft | null {
  const draft = draftOf(changes);
  const own = Object.entries(typing).filter(([key, text]) => now === null || text !== textAt(now, key));
  if (own.length === 0 && isEmpty(draft)) return null;
  const open = Object.fromEntries(own);
  const spans = now === null ? before : spansOf(now.segments, draft, open);
  return {
    ...draft,
    ...(own.length > 0 && { typing: open }),
    ...(Object.keys(spans).length > 0 && { spans }),
  };
}

/** The initial text of a field. */
export function textAt(transcription: Transcription | null, key: string): string {
  return (key === "text" ? transcription?.text : transcription?.segments[Number(key)]?.text) ?? "";
}

/** With the contents of a field; null closes it. */
export function typed(typing: Typing, key: string, text: string | null): Typing {
  const { [key]: _, ...others } = typing;
  return text === null ? others : { ...others, [key]: text };
}

/** The inverse of `draft`: restores what is shown now. */
export function reverseOf(draft: Draft, now: Transcription): Draft {
  const { title, text, edits, speakers } = draft;
  const at = (index: string) => now.segments[Number(index)];
  const back = <Value>(changed: object, value: (index: string) => Value) =>
    Object.fromEntries(Object.keys(changed).flatMap((index) => (at(index) === undefined ? [] : [[index, value(index)]])));
  return {
    ...(title === undefined ? {} : { title: now.title }),
    ...(text === undefined ? {} : { text: now.text }),
    edits: back(edits, (index) => at(index)?.text ?? ""),
    ...(speakers === undefined ? {} : { speakers: back(speakers, (index) => at(index)?.speaker ?? null) }),
  };
}

/** The segments with their changes; a corrected one has no word times until the server has aligned it again. */
export function correctedSegments(segments: readonly Segment[], { edits, speakers = {} }: Changes): readonly Segment[] {
  if (Object.keys(edits).length === 0 && Object.keys(speakers).length === 0) return segments;
  return segments.map((segment, index) => {
    const text = edits[index];
    const corrected = text === undefined || text === segment.text ? segment : { ...unmarked(segment), text, words: [] };
    const speaker = speakers[index];
    if (speaker === undefined || speaker === (segment.speaker ?? null)) return corrected;
    const { speaker: _, ...nobody } = corrected;
    return speaker === null ? nobody : { ...nobody, speaker };
  });
}

function unmarked({ heard: _, ...segment }: Segment): Segment {
  return segment;
}

/** As the server joins them. */
const textOf = (segments: readonly Segment[]): string =>
  segments
    .map(({ text }) => text.trim())
    .filter((text) => text !== "")
    .join(" ");

/** The transcription as shown: the server's, with unsaved changes applied. */
export function shown(transcription: Transcription, changes: Changes): Transcription {
  if (isEmpty(changes)) return transcription;
  const segments = correctedSegments(transcription.segments, changes);
  return {
    ...transcription,
    title: changes.title ?? transcription.title,
    text: changes.text ?? (Object.keys(changes.edits).length === 0 ? transcription.text : textOf(segments)),
    segments: [...segments],
  };
}

/** The kind of an edit, in the person's terms. */
export type StepKind = "correction" | "text" | "title" | "replacement" | "speaker";

/** One undoable step, however many segments it changed. */
export interface Step {
  kind: StepKind;
  /** The first changed segment; null for a change outside of segments. */
  index: number | null;
  /** The number of changed segments. */
  count: number;
  undo: Draft;
  redo: Draft;
}

export interface History {
  /** The last step is at the end. */
  done: readonly Step[];
  /** The last undone step is at the end. */
  undone: readonly Step[];
}

export const noHistory: History = { done: [], undone: [] };

/** Older ones are dropped. */
export const maxSteps = 200;

/**
 * Records a change and clears the redo steps.
 * @param now the transcription as it is shown before the change
 */
export function recorded(history: History, kind: StepKind, redo: Draft, now: Transcription): History {
  const undo = reverseOf(redo, now);
  if (isSame(undo, redo)) return history;
  const indices = Object.keys({ ...undo.edits, ...undo.speakers }).map(Number);
  const step = { kind, index: indices.length === 0 ? null : Math.min(...indices), count: indices.length, undo, redo };
  return { done: [...history.done, step].slice(-maxSteps), undone: [] };
}

/** The history after undoing its last step, together with that step; undefined when there is none. */
export function steppedBack({ done, undone }: History): { history: History; step: Step } | undefined {
  const step = done.at(-1);
  return step && { history: { done: done.slice(0, -1), undone: [...undone, step] }, step };
}

/** The same for redo. */
export function steppedForward({ done, undone }: History): { history: History; step: Step } | undefined {
  const step = undone.at(-1);
  return step && { history: { done: [...done, step], undone: undone.slice(0, -1) }, step };
}

/** Undoable edits. All are sent by the page. */
export type EditEvent =
  /** A segment was corrected, or the whole text where there are no segments. */
  | { type: "segment.edited"; index: number; text: string }
  | { type: "text.edited"; text: string }
  | { type: "title.edited"; title: string }
  /** Replacements: texts by segment. */
  | { type: "segments.replaced"; edits: Readonly<Record<number, string>> }
  /** The speaker of these segments; null for an unnamed one. */
  | { type: "speaker.named"; segments: readonly number[]; name: string | null };

/** The part of the machine's context that is edited. */
export interface Edited {
  /** As the server has it. */
  saved: Transcription | null;
  /** As shown: with unsaved changes. */
  shown: Transcription | null;
  /** Pending. */
  pending: Changes;
  /** In flight. */
  sending: Changes;
  /** The contents of open fields. */
  typing: Typing;
  history: History;
}

interface Edit {
  kind: StepKind;
  draft: Draft;
  /** The edited field, which is closed. */
  closes?: string;
}

function editOf(event: EditEvent): Edit {
  switch (event.type) {
    case "segment.edited":
      return { kind: "correction", draft: { edits: { [event.index]: event.text } }, closes: String(event.index) };
    case "text.edited":
      return { kind: "text", draft: { text: event.text, edits: {} }, closes: "text" };
    case "title.edited":
      return { kind: "title", draft: { title: event.title, edits: {} } };
    case "segments.replaced":
      return { kind: "replacement", draft: { edits: event.edits } };
    case "speaker.named": {
      const speakers = Object.fromEntries(event.segments.map((index) => [index, event.name]));
      return { kind: "speaker", draft: { edits: {}, speakers } };
    }
  }
}

export const withShown = <C extends Edited>(context: C): C => ({
  ...context,
  shown: context.saved && shown(context.saved, merged(context.sending, context.pending)),
});

/**
 * With the server's current version. Steps refer to segments by index: when the segments change, they are void.
 * @param spans where the segments were that the changes name; default: as shown until now
 */
export function withSaved<C extends Edited>(context: C, saved: Transcription, spans: Spans = spansNow(context)): C {
  const same = context.saved === null || context.saved.segments.length === saved.segments.length;
  const history = same ? context.history : noHistory;
  return withShown({ ...context, ...followed(saved, context, spans), history });
}

const spansNow = ({ saved, sending, pending, typing }: Edited): Spans =>
  spansOf(saved?.segments ?? [], merged(sending, pending), typing);

/** With the person's edit, to be sent; an edit without effect only closes its field. */
export function withEdit<C extends Edited>(context: C, event: EditEvent): C {
  if (context.shown === null) return context;
  const { kind, draft, closes } = editOf(event);
  const history = recorded(context.history, kind, draft, context.shown);
  return withDraft(context, history === context.history ? { edits: {} } : draft, history, closes);
}

export function withUndone<C extends Edited>(context: C): C {
  const back = steppedBack(context.history);
  return back ? withDraft(context, back.step.undo, back.history) : context;
}

export function withRedone<C extends Edited>(context: C): C {
  const forward = steppedForward(context.history);
  return forward ? withDraft(context, forward.step.redo, forward.history) : context;
}

function withDraft<C extends Edited>(context: C, draft: Draft, history: History, closes?: string): C {
  const typing = typingAfter(context, draft, closes);
  if (isEmpty(draft)) return { ...context, typing };
  return withShown({ ...context, typing, history, pending: merged(context.pending, draft) });
}

/** Open but untouched fields follow a change from elsewhere (a replacement, an undo). */
function typingAfter({ typing, shown: now }: Edited, { text, edits }: Draft, closes?: string): Typing {
  const moved = Object.entries(typing).map(([key, typed]) => {
    const after = key === "text" ? text : edits[Number(key)];
    return [key, after !== undefined && typed === textAt(now, key) ? after : typed];
  });
  return Object.fromEntries(moved.filter(([key]) => key !== closes));
}

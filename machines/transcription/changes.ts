import type { Segment, Transcription } from "#contract/index.ts";

/** What a person changed and the server does not have yet. */
export interface Changes {
  title?: string;
  /** The whole text, where there are no segments. */
  text?: string;
  /** By the segment's index. */
  edits: Readonly<Record<number, string>>;
  /** Who spoke, by the segment's index; null for nobody that is named. */
  speakers?: Readonly<Record<number, string | null>>;
  /** A translation that was asked for; null: none any more. */
  targetLanguage?: string | null;
  retry?: true;
}

/** What can be undone: what was typed or chosen, not what the server was asked to do. */
export type Draft = Pick<Changes, "title" | "text" | "edits" | "speakers">;

/** What stands in the fields that are open for correction: by the segment's index, or "text" where there are no segments. */
export type Typing = Readonly<Record<string, string>>;

/** What is kept in the browser until it is saved. */
export interface PersistedDraft extends Draft {
  typing?: Typing;
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

/** Whether a change leaves everything that it is about as `other` does. */
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
 * What is kept of changes and of open fields, of those that say something else than the transcription; null when there is nothing.
 * @param now the transcription as it is shown; null before it is loaded
 */
export function draftOfChanges(changes: Changes, typing: Typing, now: Transcription | null): PersistedDraft | null {
  const draft = draftOf(changes);
  const own = Object.entries(typing).filter(([key, text]) => now === null || text !== textAt(now, key));
  if (own.length > 0) return { ...draft, typing: Object.fromEntries(own) };
  return isEmpty(draft) ? null : draft;
}

/** The text that a field is opened with. */
export function textAt(transcription: Transcription | null, key: string): string {
  return (key === "text" ? transcription?.text : transcription?.segments[Number(key)]?.text) ?? "";
}

/** With what stands in a field; null closes it. */
export function typed(typing: Typing, key: string, text: string | null): Typing {
  const { [key]: _, ...others } = typing;
  return text === null ? others : { ...others, [key]: text };
}

/** What puts a transcription back to how it is shown now, after `draft` has changed it. */
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

/** The segments with their changes; a corrected one has no words with times until the server has found them again. */
export function correctedSegments(segments: readonly Segment[], { edits, speakers = {} }: Changes): readonly Segment[] {
  if (Object.keys(edits).length === 0 && Object.keys(speakers).length === 0) return segments;
  return segments.map((segment, index) => {
    const text = edits[index];
    const corrected = text === undefined || text === segment.text ? segment : { ...segment, text, words: [] };
    const speaker = speakers[index];
    if (speaker === undefined || speaker === (segment.speaker ?? null)) return corrected;
    const { speaker: _, ...nobody } = corrected;
    return speaker === null ? nobody : { ...nobody, speaker };
  });
}

/** As the server joins them. */
const textOf = (segments: readonly Segment[]): string =>
  segments
    .map(({ text }) => text.trim())
    .filter((text) => text !== "")
    .join(" ");

/** The transcription as the person sees it: the server's, with what is not saved yet laid over it. */
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

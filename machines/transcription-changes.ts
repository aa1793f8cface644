import type { Segment, Transcription } from "../src/api/contract/index.ts";

/** What a person changed and the server does not have yet. */
export interface Changes {
  title?: string;
  /** The whole text, where there are no segments. */
  text?: string;
  /** By the segment's index. */
  edits: Readonly<Record<number, string>>;
  /** A translation that was asked for; null: none any more. */
  targetLanguage?: string | null;
  retry?: true;
}

/** What is kept in the browser until it is saved: what was typed, not what can be asked for again. */
export type Draft = Pick<Changes, "title" | "text" | "edits">;

export const noChanges: Changes = { edits: {} };

export const isEmpty = (changes: Changes): boolean =>
  Object.keys(changes).length === 1 && Object.keys(changes.edits).length === 0;

/** `later` wins where both change the same. */
export const merged = (earlier: Changes, later: Changes): Changes => ({
  ...earlier,
  ...later,
  edits: { ...earlier.edits, ...later.edits },
});

export function draftOf({ title, text, edits }: Changes): Draft {
  return { ...(title === undefined ? {} : { title }), ...(text === undefined ? {} : { text }), edits };
}

/** The segments with their corrections; a corrected one has no words with times until the server has found them again. */
export function correctedSegments(segments: readonly Segment[], { edits }: Changes): readonly Segment[] {
  if (Object.keys(edits).length === 0) return segments;
  return segments.map((segment, index) => {
    const text = edits[index];
    return text === undefined || text === segment.text ? segment : { ...segment, text, words: [] };
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
    text: changes.text ?? (segments === transcription.segments ? transcription.text : textOf(segments)),
    segments: [...segments],
  };
}

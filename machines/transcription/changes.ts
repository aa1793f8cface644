import {
  markedSegments,
  type OtherText,
  type Regroup,
  regroupedSegments,
  type Segment,
  type SpeechLanguage,
  type Transcription,
  type WordMark,
} from "#contract/index.ts";
import { type ByIndex, composed } from "./passages.ts";
import { fieldOf, type Spans, spansOf } from "./spans.ts";

/** A text of another person for a passage: whether the passage has it after the change. */
interface Settled {
  index: number;
  other: OtherText;
  present: boolean;
}

/** Changes that are not saved on the server. */
export interface Changes extends ByIndex {
  title?: string;
  /** The whole text, where there are no segments; and what it was, as in `bases`. */
  text?: string;
  textBase?: string;
  /** By id, the decisions about other people's texts for the same passages, or their reversal. */
  others?: Readonly<Record<string, Settled>>;
  /** Words that were checked, by their start: how certain they are. */
  words?: Readonly<Record<string, WordMark>>;
  /** A requested translation; null hides it. */
  targetLanguage?: string | null;
  retry?: true;
  /** Finding out who speaks: how many there are, null to find out. */
  diarize?: { speakers: number | null };
  /** Recognize the audio again, on the server. */
  recognize?: true;
  /** Recognize another audio track instead (its number, from 1), in this language. */
  track?: number;
  sourceLanguage?: SpeechLanguage;
}

/** The undoable part: edits, but no requests to the server. */
export type Draft = Pick<
  Changes,
  "title" | "text" | "textBase" | "edits" | "bases" | "speakers" | "translations" | "regroups" | "words" | "others"
>;

/**
 * The contents of fields open for correction: by the index of the shown segment (with the prefix "translation:" for its
 * translation), or "text" if there are no segments.
 */
export type Typing = Readonly<Record<string, string>>;

/** The places of the segments that a draft names. */
export interface DraftSpans {
  /** Absent in drafts of earlier versions. */
  spans?: Spans;
  /** The places of open fields after splits and merges. */
  fields?: Spans;
}

/** Persisted in the browser until it is saved. */
export interface PersistedDraft extends Draft, DraftSpans {
  typing?: Typing;
  /** The contents of the open fields from when the person started to type. */
  begun?: Typing;
}

export const noChanges: Changes = { edits: {} };

export const isEmpty = (changes: Changes): boolean =>
  Object.keys(changes).length === 1 && Object.keys(changes.edits).length === 0;

/** `later` wins where both change the same; it names segments as they are after `earlier`. */
export function merged(earlier: Changes, later: Changes): Changes {
  const both = { ...earlier, ...later };
  const { edits: _, bases: _b, textBase: _t, speakers: __, regroups: ___, translations: ____, ...rest } = both;
  const words = { ...earlier.words, ...later.words };
  const others = { ...earlier.others, ...later.others };
  const textBase = earlier.text === undefined ? later.textBase : earlier.textBase;
  return {
    ...rest,
    ...composed(earlier, later),
    ...(textBase !== undefined && { textBase }),
    ...(Object.keys(words).length > 0 && { words }),
    ...(Object.keys(others).length > 0 && { others }),
  };
}

/** Whether everything that a change touches is the same in `other`. */
export function isSame(one: Draft, other: Draft): boolean {
  const same = (a: object = {}, b: object = {}) => {
    const values = new Map(Object.entries(b));
    return Object.entries(a).every(([index, value]) => values.get(index) === value);
  };
  const isRegrouped = [one, other].some(({ regroups, others }) => regroups !== undefined || others !== undefined);
  const isTextSame = one.title === other.title && one.text === other.text;
  const areWordsSame = Object.entries(one.words ?? {}).every(([key, word]) => word.confidence === other.words?.[key]?.confidence);
  return (
    !isRegrouped &&
    isTextSame &&
    areWordsSame &&
    same(one.edits, other.edits) &&
    same(one.speakers, other.speakers) &&
    same(one.translations, other.translations)
  );
}

export function draftOf(changes: Changes): Draft {
  const { title, text, textBase, edits, bases, speakers, translations, regroups, words, others } = changes;
  return {
    ...(title === undefined ? {} : { title }),
    ...(text === undefined ? {} : { text }),
    ...(textBase === undefined ? {} : { textBase }),
    edits,
    ...(bases === undefined ? {} : { bases }),
    ...(speakers === undefined ? {} : { speakers }),
    ...(translations === undefined ? {} : { translations }),
    ...(regroups === undefined ? {} : { regroups }),
    ...(words === undefined ? {} : { words }),
    ...(others === undefined ? {} : { others }),
  };
}

/** The spans that were stored with a draft. */
export const draftSpansIn = ({ spans, fields }: PersistedDraft): DraftSpans => ({
  ...(spans && { spans }),
  ...(fields && { fields }),
});

/** A transcription: as the server has it, and as it is shown; null before it is loaded. */
interface Versions {
  saved: Transcription | null;
  shown: Transcription | null;
}

/**
 * The changes and open fields to store: those that differ from the transcription; null if none do.
 * @param before where the named segments were when the draft was stored, until it is loaded
 */
export function draftOfChanges(
  changes: Changes,
  typing: Typing,
  { saved, shown: now }: Versions,
  before: DraftSpans = {},
): PersistedDraft | null {
  const draft = draftOf(changes);
  const own = Object.entries(typing).filter(([key, text]) => now === null || text !== textAt(now, key));
  if (own.length === 0 && isEmpty(draft)) return null;
  const open = Object.fromEntries(own);
  return {
    ...draft,
    ...(own.length > 0 && { typing: open }),
    ...(saved === null || now === null ? before : draftSpansOf({ saved, shown: now }, draft, open)),
  };
}

function draftSpansOf(now: Record<keyof Versions, Transcription>, draft: Draft, open: Typing): DraftSpans {
  // Without splits and merges fields and changes name the same segments.
  const isMoved = draft.regroups !== undefined;
  const spans = spansOf(now.saved.segments, draft, isMoved ? {} : open);
  const fields = isMoved ? spansOf(now.shown.segments, noChanges, open) : {};
  return {
    ...(Object.keys(spans).length > 0 && { spans }),
    ...(Object.keys(fields).length > 0 && { fields }),
  };
}

/** The initial text of a field. */
export function textAt(transcription: Pick<Transcription, "text" | "segments"> | null, key: string): string {
  const field = fieldOf(key);
  const segment = field && transcription?.segments[field.index];
  return (key === "text" ? transcription?.text : field?.prefix === "" ? segment?.text : segment?.translation) ?? "";
}

/** Sets the contents of a field; null closes it. */
export function typed(typing: Typing, key: string, text: string | null): Typing {
  const { [key]: _, ...others } = typing;
  return text === null ? others : { ...others, [key]: text };
}

const noRegroups: readonly Regroup[] = [];

/** The segments with their changes; a corrected one has no word times until the server has aligned it again. */
export function correctedSegments(
  segments: readonly Segment[],
  changes: ByIndex & Pick<Changes, "words" | "others">,
): readonly Segment[] {
  const { edits, speakers = {}, translations = {}, regroups = noRegroups, words = {}, others = {} } = changes;
  const isSame = [edits, speakers, translations].every((changed) => Object.keys(changed).length === 0);
  const chosen = withSettled(segments, Object.values(others));
  const corrected = isSame
    ? chosen
    : chosen.map((segment, index) => renamed(translated(rewritten(segment, edits[index]), translations[index]), speakers[index]));
  const divided = regroups.length === 0 ? corrected : regroupedSegments(corrected, regroups, rewritten);
  return markedSegments(divided, Object.values(words));
}

function withSettled(segments: readonly Segment[], settled: readonly Settled[]): readonly Segment[] {
  if (settled.length === 0) return segments;
  const gone = new Set(settled.filter(({ present }) => !present).map(({ other }) => other.id));
  return segments.map((segment, at) => {
    const { others = [], ...alone } = segment;
    const known = new Set(others.map(({ id }) => id));
    const back = settled.filter(({ index, other, present }) => present && index === at && !known.has(other.id));
    const left = [...others.filter(({ id }) => !gone.has(id)), ...back.map(({ other }) => other)];
    return left.length === 0 ? alone : { ...alone, others: left };
  });
}

function rewritten(segment: Segment, text: string | undefined): Segment {
  if (text === undefined || text === segment.text) return segment;
  const { heard: _, ...unmarked } = segment;
  return { ...unmarked, text, words: [] };
}

const translated = (segment: Segment, translation: string | undefined): Segment =>
  translation === undefined ? segment : { ...segment, translation };

function renamed(segment: Segment, speaker: string | null | undefined): Segment {
  if (speaker === undefined || speaker === (segment.speaker ?? null)) return segment;
  const { speaker: _, ...nobody } = segment;
  return speaker === null ? nobody : { ...nobody, speaker };
}

/** Joined as on the server. */
const textOf = (segments: readonly Segment[]): string =>
  segments
    .map(({ text }) => text.trim())
    .filter((text) => text !== "")
    .join(" ");

/** The transcription as shown: the server's, with unsaved changes applied. */
export function shown(transcription: Transcription, changes: Changes): Transcription {
  if (isEmpty(changes)) return transcription;
  const segments = correctedSegments(transcription.segments, changes);
  const isSame = Object.keys(changes.edits).length === 0 && changes.regroups === undefined;
  return {
    ...transcription,
    title: changes.title ?? transcription.title,
    text: changes.text ?? (isSame ? transcription.text : textOf(segments)),
    segments: [...segments],
  };
}

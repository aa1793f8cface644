import { type AlignBudget, newBudget } from "#contract/correcting/align.ts";
import { replaceText, retimeSegment } from "#contract/correcting/retime.ts";
import {
  canJoin,
  isAt,
  joinedText,
  markedSegments,
  movedRegroup,
  partsWithin,
  type Regroup,
  regrouped,
  regroupedSegments,
  type Segment,
  type TranscriptionUpdate,
} from "#contract/index.ts";
import { Problem } from "#server/errors/problem.ts";
import { fitted, settled, type Writing, written } from "./conflicts.ts";

/** Segments, and the former translations of split segments. */
export interface Corrected {
  segments: Segment[];
  /** Former translations by the index of the first part, for the case that they can't be made anew. */
  outdated: { indices: number[]; texts: string[] };
}

/**
 * Applies an update's texts, translations, speakers, regroups and marks of words to the segments.
 * @param by who corrects: text that can't be merged with others' changes is stored under this name (merge.ts)
 * @throws Problem `badRequest` for a missing segment, `conflict` when the text that the user saw is no longer there
 */
export function corrected(segments: readonly Segment[], given: TranscriptionUpdate, by = ""): Corrected {
  const { segments: current, update } = followed(segments, given);
  const writing = { by, budget: newBudget() };
  const applied = settled(apply(current, update, writing), update);
  const fitting = fitted(applied, update.regroups ?? [], writing);
  const { segments: changed, outdated } = regroup(fitting.segments, fitting.regroups, writing.budget);
  return { segments: [...markedSegments(changed, update.words ?? [])], outdated };
}

/** Matches the update's indices to the segments, which may have been divided since the user saw them. */
function followed(
  segments: readonly Segment[],
  update: TranscriptionUpdate,
): { segments: readonly Segment[]; update: TranscriptionUpdate } {
  const spans = new Map((update.spans ?? []).map(({ index, span }) => [index, span]));
  if ([...spans].every(([index, span]) => isAt(segments, index, span))) return { segments, update };
  const corrections = new Set([...(update.edits ?? []), ...(update.translations ?? [])].map(({ index }) => index));
  const whole = regrouped(segments, new Map([...spans].filter(([index]) => corrections.has(index))));
  const moved = <Edit extends { index: number }>(edit: Edit): Edit => ({ ...edit, index: found(whole.indexOf(edit.index)) });
  const [edits, translations] = [update.edits?.map(moved), update.translations?.map(moved)];
  const speakers = update.speakers?.map(({ name, segments: indices }) => ({
    name,
    segments: indices.flatMap((index) => {
      const span = spans.get(index);
      return span === undefined ? [index] : partsWithin(whole.segments, span);
    }),
  }));
  const regroups = update.regroups?.map((one) => found(movedRegroup(whole.segments, one, (index) => spans.get(index))));
  return {
    segments: whole.segments,
    update: {
      ...update,
      ...(edits && { edits }),
      ...(translations && { translations }),
      ...(speakers && { speakers }),
      ...(regroups && { regroups }),
    },
  };
}

function found<Place>(place: Place | undefined): Place {
  if (place === undefined) throw new Problem("conflict", "The corrected text no longer exists.");
  return place;
}

function apply(segments: readonly Segment[], update: TranscriptionUpdate, writing: Writing): Segment[] {
  const rewritten = update.text === undefined && update.edits === undefined ? segments : rewrite(segments, update, writing);
  return attribute(translate(rewritten, update), update);
}

function rewrite(segments: readonly Segment[], { text, edits }: TranscriptionUpdate, writing: Writing): Segment[] {
  const whole = text === undefined ? [...segments] : replaceText(segments, text, writing.budget);
  for (const edit of edits ?? []) {
    const segment = whole[edit.index];
    if (segment === undefined) throw new Problem("badRequest", `edits: segment ${edit.index} does not exist.`);
    whole[edit.index] = written(segment, edit, writing);
  }
  return whole;
}

/** Sets the translations written by a user. */
function translate(segments: readonly Segment[], { translations = [] }: TranscriptionUpdate): readonly Segment[] {
  const translated = [...segments];
  for (const { index, text } of translations) {
    const segment = translated[index];
    if (segment === undefined) throw new Problem("badRequest", `translations: segment ${index} does not exist.`);
    translated[index] = { ...segment, translation: text };
  }
  return translated;
}

/** Splits and merges. */
function regroup(segments: readonly Segment[], given: readonly Regroup[], budget: AlignBudget): Corrected {
  const regroups = [...given].sort((one, other) => one.index - other.index);
  let free = 0;
  for (const { index, count } of regroups) {
    if (index < free || index + count > segments.length) {
      throw new Problem("badRequest", `regroups: the ${count} segments from ${index} don't exist or overlap another change.`);
    }
    if (!canJoin(segments.slice(index, index + count))) {
      throw new Problem("badRequest", "regroups: turns of a conversation can't be merged.");
    }
    free = index + count;
  }
  const changed = regroupedSegments(segments, regroups, (segment, text) => retimeSegment(segment, text, budget));
  return { segments: changed, outdated: outdatedOf(segments, changed, regroups) };
}

function outdatedOf(before: readonly Segment[], after: readonly Segment[], regroups: readonly Regroup[]): Corrected["outdated"] {
  const indices: number[] = [];
  const texts: string[] = [];
  let shift = 0;
  for (const { index, count, passages } of regroups) {
    const translation = joinedText(before.slice(index, index + count).map((segment) => segment.translation ?? ""));
    const parts = after.slice(index + shift, index + shift + passages.length);
    const first = parts.findIndex((part) => part.translation === undefined);
    if (translation !== "" && first >= 0) {
      indices.push(index + shift + first);
      texts.push(translation);
    }
    shift += passages.length - count;
  }
  return { indices, texts };
}

/** Sets the speaker. */
function attribute(segments: readonly Segment[], { speakers = [] }: TranscriptionUpdate): Segment[] {
  const attributed = [...segments];
  for (const { name, segments: indices } of speakers) {
    for (const index of indices) {
      const segment = attributed[index];
      if (segment === undefined) throw new Problem("badRequest", `speakers: segment ${index} does not exist.`);
      const { speaker: _, ...nobody } = segment;
      attributed[index] = name === null ? nobody : { ...nobody, speaker: name };
    }
  }
  return attributed;
}

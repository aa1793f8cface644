import { isAt, partsWithin, regrouped, type Segment, type TranscriptionUpdate } from "#contract/index.ts";
import { Problem } from "#server/common/problem.ts";
import { newBudget } from "./align.ts";
import { replaceText, retimeSegment } from "./retime.ts";

/**
 * Applies an update's texts and speakers to the segments.
 * @throws Problem `badRequest` for a missing segment, `conflict` when what was seen there is not there any more
 */
export function corrected(segments: readonly Segment[], given: TranscriptionUpdate): Segment[] {
  const { segments: current, update } = followed(segments, given);
  return apply(current, update);
}

/** The segments and the update's indices as they belong together, though segments have been divided since the person saw them. */
function followed(
  segments: readonly Segment[],
  update: TranscriptionUpdate,
): { segments: readonly Segment[]; update: TranscriptionUpdate } {
  const spans = new Map((update.spans ?? []).map(({ index, span }) => [index, span]));
  if ([...spans].every(([index, span]) => isAt(segments, index, span))) return { segments, update };
  const corrections = new Set((update.edits ?? []).map(({ index }) => index));
  const whole = regrouped(segments, new Map([...spans].filter(([index]) => corrections.has(index))));
  const edits = update.edits?.map(({ index, text }) => ({ index: found(whole.indexOf(index)), text }));
  const speakers = update.speakers?.map(({ name, segments: indices }) => ({
    name,
    segments: indices.flatMap((index) => {
      const span = spans.get(index);
      return span === undefined ? [index] : partsWithin(whole.segments, span);
    }),
  }));
  return { segments: whole.segments, update: { ...update, ...(edits && { edits }), ...(speakers && { speakers }) } };
}

function found(index: number | undefined): number {
  if (index === undefined) throw new Problem("conflict", "What was corrected is not there any more.");
  return index;
}

function apply(segments: readonly Segment[], update: TranscriptionUpdate): Segment[] {
  return attribute(update.text === undefined && update.edits === undefined ? segments : rewrite(segments, update), update);
}

function rewrite(segments: readonly Segment[], { text, edits }: TranscriptionUpdate): Segment[] {
  const budget = newBudget();
  const whole = text === undefined ? [...segments] : replaceText(segments, text, budget);
  for (const edit of edits ?? []) {
    const segment = whole[edit.index];
    if (segment === undefined) throw new Problem("badRequest", `edits: there is no segment ${edit.index}.`);
    if (segment.text !== edit.text.trim()) whole[edit.index] = retimeSegment(segment, edit.text, budget);
  }
  return whole;
}

/** Sets the speaker. */
function attribute(segments: readonly Segment[], { speakers = [] }: TranscriptionUpdate): Segment[] {
  const attributed = [...segments];
  for (const { name, segments: indices } of speakers) {
    for (const index of indices) {
      const segment = attributed[index];
      if (segment === undefined) throw new Problem("badRequest", `speakers: there is no segment ${index}.`);
      const { speaker: _, ...nobody } = segment;
      attributed[index] = name === null ? nobody : { ...nobody, speaker: name };
    }
  }
  return attributed;
}

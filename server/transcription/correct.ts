import type { Segment, TranscriptionUpdate } from "#contract/index.ts";
import { Problem } from "#server/common/problem.ts";
import { newBudget } from "./align.ts";
import { replaceText, retimeSegment } from "./retime.ts";

/** Applies an update's texts and speakers to the segments. @throws Problem `badRequest` for a missing segment */
export function corrected(segments: readonly Segment[], update: TranscriptionUpdate): Segment[] {
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

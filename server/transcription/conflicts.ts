import type { AlignBudget } from "#contract/correcting/align.ts";
import { retimeSegment } from "#contract/correcting/retime.ts";
import { joinedText, type OtherText, type Regroup, type Segment, type TranscriptionUpdate } from "#contract/index.ts";
import { merge, mergedPassages } from "./merge.ts";

/** Of one save. */
export interface Writing {
  /** Who writes: an e-mail address. */
  by: string;
  budget: AlignBudget;
}

/** Of a segment; beyond that what can't be merged stands in its text, after what it has. */
const maxConflicts = 20;

/**
 * A segment with a corrected text. Where somebody else has changed it since (`base` says what it was), both changes are merged; where both have
 * changed the same words, its text stays, and what was written is one of its `others`.
 */
export function written(segment: Segment, edit: { text: string; base?: string | undefined }, { by, budget }: Writing): Segment {
  const [mine, theirs, base] = [edit.text.trim(), segment.text.trim(), edit.base?.trim()];
  if (theirs === mine) return segment;
  if (base === undefined || base === theirs) return retimeSegment(segment, mine, budget);
  const { text, isClean } = merge({ base, mine, theirs }, budget);
  if (!isClean && (segment.others ?? []).length < maxConflicts) return withConflict(segment, mine, by);
  return text === theirs ? segment : retimeSegment(segment, text, budget);
}

/** Once, however often it is sent. */
function withConflict(segment: Segment, text: string, by: string): Segment {
  const others = segment.others ?? [];
  if (others.some((other) => other.text === text)) return segment;
  return { ...segment, others: [...others, { id: crypto.randomUUID(), text, by }] };
}

/**
 * Splits and merges of texts that somebody else may have changed since: with these changes in their passages. Where that does not fit, the
 * segments stay as they are, and what was written of them stands with the first.
 */
export function fitted(
  segments: readonly Segment[],
  regroups: readonly Regroup[],
  { by, budget }: Writing,
): { segments: readonly Segment[]; regroups: Regroup[] } {
  const changed = [...segments];
  const fitting = regroups.flatMap((regroup) => {
    const { index, count, passages, bases } = regroup;
    const first = changed[index];
    if (bases === undefined || first === undefined) return [regroup];
    const [base, now] = [joinedText(bases), joinedText(changed.slice(index, index + count).map(({ text }) => text))];
    if (base === now) return [regroup];
    const texts = passages.map(({ text }) => text);
    const merged = mergedPassages(base, texts, now, budget);
    if (merged !== undefined)
      return [{ ...regroup, passages: passages.map((passage, at) => withText(passage, merged[at] ?? "")) }];
    const mine = joinedText(texts);
    if (mine !== base && mine !== now) changed[index] = withConflict(first, mine, by);
    return [];
  });
  return { segments: changed, regroups: fitting };
}

function withText(passage: Regroup["passages"][number], text: string): Regroup["passages"][number] {
  const { translation: _, ...others } = passage;
  return text === passage.text ? passage : { ...others, text };
}

/** With what was settled, or put back: each by its id, wherever it is now; what is gone is passed over. */
export function settled(segments: readonly Segment[], { others = [] }: TranscriptionUpdate): readonly Segment[] {
  if (others.length === 0) return segments;
  const gone = new Set(others.filter(({ present }) => !present).map(({ other }) => other.id));
  const known = new Set(segments.flatMap((segment) => (segment.others ?? []).map(({ id }) => id)));
  const back = Map.groupBy(
    others.filter(({ present, other }) => present && !known.has(other.id)),
    ({ index }) => index,
  );
  return segments.map((segment, index) => {
    const added = (back.get(index) ?? []).map(({ other }) => other);
    if (segment.others === undefined && added.length === 0) return segment;
    return withOthers(segment, [...(segment.others ?? []).filter(({ id }) => !gone.has(id)), ...added]);
  });
}

function withOthers(segment: Segment, others: readonly OtherText[]): Segment {
  const { others: _, ...alone } = segment;
  return others.length === 0 ? alone : { ...alone, others: [...others] };
}

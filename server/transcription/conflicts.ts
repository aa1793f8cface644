import type { AlignBudget } from "#contract/correcting/align.ts";
import { retimeSegment } from "#contract/correcting/retime.ts";
import { joinedText, type OtherText, type Regroup, type Segment, type TranscriptionUpdate } from "#contract/index.ts";
import { merge, mergedPassages } from "./merge.ts";

/** Parameters of one save. */
export interface Writing {
  /** The writer's e-mail address. */
  by: string;
  budget: AlignBudget;
}

/** Most conflicts of a segment. Beyond that, text that can't be merged is appended to the segment's text. */
const maxConflicts = 20;

/**
 * A segment with a corrected text. If another user has changed it since (`base` is the text before), both changes are
 * merged. If both have changed the same words, its text stays, and the new text becomes one of its `others`.
 */
export function written(segment: Segment, edit: { text: string; base?: string | undefined }, { by, budget }: Writing): Segment {
  const [mine, theirs, base] = [edit.text.trim(), segment.text.trim(), edit.base?.trim()];
  if (theirs === mine) return segment;
  if (base === undefined || base === theirs) return retimeSegment(segment, mine, budget);
  const { text, isClean } = merge({ base, mine, theirs }, budget);
  if (!isClean && (segment.others ?? []).length < maxConflicts) return withConflict(segment, mine, by);
  return text === theirs ? segment : retimeSegment(segment, text, budget);
}

/** Adds the conflict once, however often it is sent. */
function withConflict(segment: Segment, text: string, by: string): Segment {
  const others = segment.others ?? [];
  if (others.some((other) => other.text === text)) return segment;
  return { ...segment, others: [...others, { id: crypto.randomUUID(), text, by }] };
}

/**
 * Applies splits and merges to texts that another user may have changed since: the passages get those changes. If that
 * is impossible, the segments stay as they are, and the written text becomes a conflict of the first.
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

/** Settles or restores conflicts. Each is found by its id, wherever it is now; missing ones are ignored. */
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

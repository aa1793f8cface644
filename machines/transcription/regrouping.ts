import { canJoin, joinedText, passageLength, type Regroup, type Segment } from "#contract/index.ts";
import type { Typing } from "./changes.ts";
import { regroupedTyping } from "./typing.ts";

/** Passages are split and merged, together with the input in their fields, which this saves. */
export type RegroupEvent =
  /** At the caret: what stands before it, and the rest, which is a passage of its own. */
  | { type: "segment.split"; index: number; before: string; after: string }
  /** Merges a passage with the previous one. */
  | { type: "segment.merged"; index: number };

/**
 * Why passages can't be split or merged: a part would be empty, there is no previous passage, they are turns of a
 * conversation, or the result would be too long.
 */
export type RegroupRefusal = "empty" | "first" | "turns" | "tooLong";

/** The content of a field; if it is closed, that of the passage. */
const contentAt = (segments: readonly Segment[], typing: Typing, index: number): string =>
  (typing[index] ?? segments[index]?.text ?? "").trim();

/** null: it can be done. */
export function refusalOf(event: RegroupEvent, segments: readonly Segment[], typing: Typing): RegroupRefusal | null {
  const { index } = event;
  if (event.type === "segment.split") {
    const isEmpty = event.before.trim() === "" || event.after.trim() === "" || segments[index] === undefined;
    return isEmpty ? "empty" : null;
  }
  if (index < 1 || segments[index] === undefined) return "first";
  if (!canJoin(segments.slice(index - 1, index + 1))) return "turns";
  return mergedText(segments, typing, index).length > passageLength ? "tooLong" : null;
}

const mergedText = (segments: readonly Segment[], typing: Typing, index: number): string =>
  joinedText([contentAt(segments, typing, index - 1), contentAt(segments, typing, index)]);

/** The offset in the merged text at which the later one of two begins. */
export const seamOf = (segments: readonly Segment[], typing: Typing, index: number): number =>
  mergedText(segments, typing, index).length - contentAt(segments, typing, index).length;

/** The change, and the fields that are open after it: that of the new passage. */
export function regroupOf(
  event: RegroupEvent,
  segments: readonly Segment[],
  { typing, begun }: { typing: Typing; begun: Typing },
): { regroup: Regroup; opens: Typing } {
  const isSplit = event.type === "segment.split";
  const first = isSplit ? event.index : event.index - 1;
  const speaker = segments[first]?.speaker ?? null;
  const texts = isSplit ? [event.before.trim(), event.after.trim()] : [mergedText(segments, typing, event.index)];
  const passages = texts.map((text) => ({ text, speaker }));
  const count = isSplit ? 1 : 2;
  const own = segments.slice(first, first + count);
  const isBegun = own.some((_, part) => begun[first + part] !== undefined);
  const bases = own.map(({ text }, part) => begun[first + part] ?? text);
  const regroup = { index: first, count, passages, ...(isBegun && { bases }) };
  const open = isSplit ? first + 1 : first;
  // Fields of their texts are saved by it; those of their translations are not.
  const isSaved = (key: string) => Number(key) >= first && Number(key) < first + regroup.count;
  const others = Object.fromEntries(Object.entries(typing).filter(([key]) => !isSaved(key)));
  const fields = regroupedTyping({ typing: others, shown: { text: "", segments: [...segments] } }, [regroup]);
  return { regroup, opens: { ...fields, [open]: texts.at(-1) ?? "" } };
}

import type { Segment, Transcription } from "#contract/index.ts";
import { type Changes, correctedSegments, type Draft, type Typing, textAt } from "./changes.ts";

// What a text was when the person began to change it: the server merges that change with those of others.
// It is what the server has, unless that has changed since: only then it is noted.

interface Unsaved {
  saved: Transcription | null;
  shown: Transcription | null;
  pending: Changes;
  sending: Changes;
  typing: Typing;
  /** What open fields had when the person began to type in them, where that is not what is shown now. */
  begun: Typing;
}

/** With what the texts were that are being changed, before the server's next version is taken over. */
export function withBaseVersions<C extends Unsaved>(context: C, next: Transcription): C {
  const { saved, shown, sending, pending, typing } = context;
  if (saved === null || shown === null) return context;
  const [before, now] = [saved.segments, next.segments];
  const [inFlight, nowInFlight] = [correctedSegments(before, sending), correctedSegments(now, sending)];
  const begun: Record<string, string> = { ...context.begun };
  for (const [key, text] of Object.entries(typing)) {
    const had = textAt(shown, key);
    if (text !== had && begun[key] === undefined && (before.length !== now.length || textAt(saved, key) !== textAt(next, key)))
      begun[key] = had;
  }
  const texts = [saved.text, next.text] as const;
  return {
    ...context,
    sending: based(sending, before, now, texts),
    pending: based(pending, inFlight, nowInFlight, texts),
    begun,
  };
}

function based(
  changes: Changes,
  before: readonly Segment[],
  now: readonly Segment[],
  [had, has]: readonly [string, string],
): Changes {
  const isMoved = before.length !== now.length;
  const at = (index: number) => (isMoved || before[index]?.text !== now[index]?.text ? before[index]?.text : undefined);
  const noted = Object.keys(changes.edits).flatMap((key): [string, string][] => {
    const base = changes.bases?.[Number(key)] ?? at(Number(key));
    return base === undefined ? [] : [[key, base]];
  });
  const regroups = changes.regroups?.map((regroup) => {
    const { index, count } = regroup;
    const own = before.slice(index, index + count).map(({ text }) => text);
    const isChanged = own.some((_, part) => at(index + part) !== undefined);
    return regroup.bases === undefined && isChanged ? { ...regroup, bases: own } : regroup;
  });
  const textBase = changes.textBase ?? (changes.text !== undefined && had !== has ? had : undefined);
  return {
    ...changes,
    ...(noted.length > 0 && { bases: Object.fromEntries(noted) }),
    ...(regroups !== undefined && { regroups }),
    ...(textBase !== undefined && { textBase }),
  };
}

/** A change with all its bases, as the server is told, and as it is kept in the browser. */
export function withAllBaseVersions<C extends Draft>(changes: C, saved: Transcription | null): C {
  if (saved === null) return changes;
  const textOf = (index: number) => saved.segments[index]?.text ?? "";
  const bases = Object.keys(changes.edits).map((key) => [key, changes.bases?.[Number(key)] ?? textOf(Number(key))]);
  const regroups = changes.regroups?.map((regroup) => ({
    ...regroup,
    bases: regroup.bases ?? saved.segments.slice(regroup.index, regroup.index + regroup.count).map(({ text }) => text),
  }));
  return {
    ...changes,
    ...(bases.length > 0 && { bases: Object.fromEntries(bases) }),
    ...(regroups !== undefined && { regroups }),
    ...(changes.text !== undefined && { textBase: changes.textBase ?? saved.text }),
  };
}

/** What open fields began with, as it is kept in the browser. */
export const allBegun = ({ typing, begun, shown }: Pick<Unsaved, "typing" | "begun" | "shown">): Typing =>
  Object.fromEntries(Object.keys(typing).map((key) => [key, begun[key] ?? textAt(shown, key)]));

type Open = Pick<Unsaved, "typing" | "begun" | "shown">;

/**
 * What the fields that are open still began with.
 * @param before when passages were divided otherwise: a field is known again by what is typed in it. What is typed in the only one that was
 * changed has been put into the text that its passage is a part of now (followed.ts): that text is what it was. Of any other, nothing counts as
 * what it was, so that nothing of it can get lost
 */
export function begunOf({ typing, begun, shown }: Open, before?: Open): Typing {
  const left = Object.entries(typing).flatMap(([key, text]): [string, string][] => {
    if (text === textAt(shown, key)) return [];
    const had = before === undefined ? begun[key] : hadBefore(text, before);
    return had === undefined ? [] : [[key, had]];
  });
  return Object.fromEntries(left);
}

function hadBefore(text: string, { typing, begun, shown }: Open): string | undefined {
  const key = Object.keys(typing).find((one) => typing[one] === text);
  if (key !== undefined) return begun[key] ?? textAt(shown, key);
  const changed = Object.entries(typing).filter(([one, typed]) => typed !== textAt(shown, one));
  return changed.length === 1 ? undefined : "";
}

import type { Segment, Transcription } from "#contract/index.ts";
import { type Changes, correctedSegments, type Draft, type Typing, textAt } from "./changes.ts";

// The base version of a text, from when the person started to change it: the server merges that change with those of
// other people. It equals the server's text unless that has changed since; only then it is stored.

interface Unsaved {
  saved: Transcription | null;
  shown: Transcription | null;
  pending: Changes;
  sending: Changes;
  typing: Typing;
  /** The contents of open fields from when the person started to type, if something else is shown now. */
  begun: Typing;
}

/** Stores the base versions of the texts that are being changed, before the server's next version replaces them. */
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

/** A change with all its base versions, for the server and for the browser's storage. */
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

/** The base versions of open fields, for the browser's storage. */
export const allBegun = ({ typing, begun, shown }: Pick<Unsaved, "typing" | "begun" | "shown">): Typing =>
  Object.fromEntries(Object.keys(typing).map((key) => [key, begun[key] ?? textAt(shown, key)]));

type Open = Pick<Unsaved, "typing" | "begun" | "shown">;

/**
 * The base versions of the fields that are still open.
 * @param before the state before passages were divided differently: a field is recognized by its content. If only one
 *   field was changed, its content is now part of its passage's text (followed.ts), and that text is the base version.
 *   Others get no base version, so that none of their content can be lost
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

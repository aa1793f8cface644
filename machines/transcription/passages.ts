import type { Passage, Regroup, Segment } from "#contract/index.ts";
import { append } from "#contract/lists.ts";

/** Changes of segments, by their indices before all changes. */
export interface ByIndex {
  edits: Readonly<Record<number, string>>;
  /** The base versions of these texts, if the server has other ones by now. */
  bases?: Readonly<Record<number, string>>;
  speakers?: Readonly<Record<number, string | null>>;
  /** Translations edited by hand. */
  translations?: Readonly<Record<number, string>>;
  /** Splits and merges: by index, none touching what another does; edits and speakers are of other segments. */
  regroups?: readonly Regroup[];
}

/** The origin of a shown passage: a segment, or a passage of a regroup. */
type Origin = { index: number } | { regroup: number; passage: number };

function originOf(regroups: readonly Regroup[], shown: number): Origin {
  let shift = 0;
  for (const [at, { index, count, passages }] of regroups.entries()) {
    const passage = shown - index - shift;
    if (passage < 0) break;
    if (passage < passages.length) return { regroup: at, passage };
    shift += passages.length - count;
  }
  return { index: shown - shift };
}

/** The indices, before all regroups, of the segments that they touch. */
export const touchedBy = (regroups: readonly Regroup[] = []): number[] =>
  regroups.flatMap(({ index, count }) => Array.from({ length: count }, (_, at) => index + at));

/** The index after all regroups of the first passage of each. */
export function placesAfter(regroups: readonly Regroup[]): number[] {
  let shift = 0;
  return regroups.map(({ index, count, passages }) => {
    const place = index + shift;
    shift += passages.length - count;
    return place;
  });
}

/**
 * Both as one change of the segments before `earlier`.
 * @param later names passages as they are shown after `earlier`
 */
export function composed(earlier: ByIndex, later: ByIndex): ByIndex {
  const edits: Record<number, string> = { ...earlier.edits };
  const bases: Record<number, string> = { ...earlier.bases };
  const speakers: Record<number, string | null> = { ...earlier.speakers };
  const translations: Record<number, string> = { ...earlier.translations };
  let regroups: readonly Regroup[] = earlier.regroups ?? [];
  const change = (shown: string, segment: (index: number) => void, passage: (before: Passage) => Passage) => {
    const origin = originOf(regroups, Number(shown));
    if ("index" in origin) segment(origin.index);
    else regroups = withPassage(regroups, origin.regroup, origin.passage, passage);
  };
  for (const [shown, text] of Object.entries(later.edits)) {
    const edit = (index: number) => {
      const base = later.bases?.[Number(shown)];
      if (edits[index] === undefined && base !== undefined) bases[index] = base;
      edits[index] = text;
      // The translation belonged to another text.
      delete translations[index];
    };
    change(shown, edit, correctedTo(text));
  }
  for (const [shown, speaker] of Object.entries(later.speakers ?? {})) {
    change(
      shown,
      (index) => Object.assign(speakers, { [index]: speaker }),
      (passage) => ({ ...passage, speaker }),
    );
  }
  for (const [shown, translation] of Object.entries(later.translations ?? {})) {
    change(
      shown,
      (index) => Object.assign(translations, { [index]: translation }),
      (passage) => ({ ...passage, translation }),
    );
  }
  // From the last one, so that earlier ones keep their indices.
  for (const regroup of [...(later.regroups ?? [])].reverse()) regroups = withRegroup(regroups, regroup, { edits, bases });
  const touched = new Set(touchedBy(regroups));
  const others = <Value>(changes: Readonly<Record<number, Value>>) =>
    Object.fromEntries(Object.entries(changes).filter(([index]) => !touched.has(Number(index))));
  const left = others(bases);
  return {
    edits: others(edits),
    ...(Object.keys(left).length > 0 && { bases: left }),
    ...((earlier.speakers ?? later.speakers) && { speakers: others(speakers) }),
    ...((earlier.translations ?? later.translations) && { translations: others(translations) }),
    ...(regroups.length > 0 && { regroups }),
  };
}

const correctedTo =
  (text: string) =>
  ({ translation: _, ...passage }: Passage): Passage => ({ ...passage, text });

function withPassage(regroups: readonly Regroup[], at: number, place: number, change: (before: Passage) => Passage): Regroup[] {
  return regroups.map((regroup, index) =>
    index === at
      ? { ...regroup, passages: regroup.passages.map((passage, own) => (own === place ? change(passage) : passage)) }
      : regroup,
  );
}

/** Adds a regroup of the shown state to the others: it absorbs those that it touches. */
function withRegroup(regroups: readonly Regroup[], added: Regroup, corrections: Corrections): Regroup[] {
  const first = originOf(regroups, added.index);
  const last = originOf(regroups, added.index + added.count - 1);
  const [opening, closing] = [first, last].map((origin) => ("index" in origin ? undefined : regroups[origin.regroup]));
  const from = "index" in first ? first.index : (opening?.index ?? 0);
  const to = "index" in last ? last.index + 1 : (closing?.index ?? 0) + (closing?.count ?? 0);
  const before = "index" in first ? [] : (opening?.passages.slice(0, first.passage) ?? []);
  const after = "index" in last ? [] : (closing?.passages.slice(last.passage + 1) ?? []);
  const bases = baseVersionsOf(regroups, added, corrections);
  const passages = [...before, ...added.passages, ...after];
  const whole = { index: from, count: to - from, passages, ...(bases !== undefined && { bases }) };
  const others = regroups.filter(({ index }) => index < from || index >= to);
  return [...others, whole].sort((one, other) => one.index - other.index);
}

type Corrections = Required<Pick<ByIndex, "edits" | "bases">>;

/**
 * The base versions of a regroup's segments; undefined: the server's texts. An unknown one gets no base version, so
 * that none of its content can be lost.
 */
function baseVersionsOf(regroups: readonly Regroup[], added: Regroup, { edits, bases }: Corrections): string[] | undefined {
  const taken = new Set<number>();
  let isNoted = added.bases !== undefined;
  const own: string[] = [];
  for (let at = 0; at < added.count; at++) {
    const origin = originOf(regroups, added.index + at);
    if ("index" in origin) {
      const noted = bases[origin.index];
      isNoted ||= noted !== undefined;
      own.push(noted ?? (edits[origin.index] === undefined ? added.bases?.[at] : undefined) ?? "");
    } else if (!taken.has(origin.regroup)) {
      const known = regroups[origin.regroup];
      isNoted ||= known?.bases !== undefined;
      taken.add(origin.regroup);
      append(own, known?.bases ?? [""]);
    }
  }
  return isNoted ? own : undefined;
}

/** A segment as a passage; `kept`: with everything that must be restored. */
export function passageOf({ text, speaker, translation, start, end }: Segment, kept: { translation: boolean }): Passage {
  return {
    text,
    speaker: speaker ?? null,
    ...(kept.translation && translation !== undefined && { translation }),
    span: [start, end],
  };
}

import {
  isAt,
  joinedText,
  movedRegroup,
  partsWithin,
  type Regroup,
  regrouped,
  type Segment,
  type Span,
  spanOf,
  type Transcription,
} from "#contract/index.ts";
import { type Changes, correctedSegments, type DraftSpans, noChanges, type Typing } from "./changes.ts";
import { fieldOf, openIn, type Spans, spansOf } from "./spans.ts";

interface Named {
  sending: Changes;
  pending: Changes;
  typing: Typing;
}

interface Before extends Named {
  saved: Transcription | null;
}

/** The current places of segments: one place, or all parts of a divided segment; none for a deleted one. */
interface IndexMap {
  one(index: number): number | undefined;
  all(index: number): readonly number[];
  regroup(before: Regroup): Regroup | undefined;
}

/** Input for a passage that is now part of another one, with the passage's former text. */
interface Lost {
  span: Span | undefined;
  text: string;
  before: string;
}

/**
 * Joins the server's transcription with a person's unsaved changes. If segments have been divided since (speakers were
 * identified, or another tab split them), a corrected one stays whole, and all parts of a named one get the name. Input
 * for a segment that has become part of another one moves to the open field of that one.
 * @param draft the former places of the segments named in changes from before this page was opened
 */
export function followed(saved: Transcription, before: Before, draft: DraftSpans = {}): Named & { saved: Transcription } {
  const { sending, pending, typing } = before;
  const isMoved = { pending: sending.regroups !== undefined, typing: (sending.regroups ?? pending.regroups) !== undefined };
  const lost: Lost[] = [];
  const old = before.saved?.segments;
  const whole = wholeOf(saved.segments, before, isMoved, old, draft.spans);
  if ((whole.isSame && !isMoved.typing) || saved.segments.length === 0) return { saved, sending, pending, typing };
  const sent = moved(sending, whole.indexMap, old, lost);
  // The following changes name segments after splits and merges, so they are looked up among these.
  const inFlight = old && correctedSegments(old, sending);
  const nowInFlight = correctedSegments(whole.segments, sent);
  const next = moved(pending, isMoved.pending ? between(inFlight ?? [], nowInFlight) : whole.indexMap, inFlight, lost);
  const shown = inFlight && correctedSegments(inFlight, pending);
  const end = correctedSegments(nowInFlight, next);
  const fields = !isMoved.typing ? whole.indexMap : shown === undefined ? bySpans(draft.fields ?? {}, end) : between(shown, end);
  return {
    saved: { ...saved, segments: [...whole.segments] },
    sending: sent,
    pending: next,
    typing: withLost(movedFields(typing, fields, shown, lost), lost, end),
  };
}

/** The server's segments, but those whole that have been divided though they are corrected. */
function wholeOf(
  segments: readonly Segment[],
  { sending, pending, typing }: Named,
  isMoved: Record<"pending" | "typing", boolean>,
  old: readonly Segment[] | undefined,
  draft: Spans = {},
) {
  const changes = isMoved.pending ? [sending] : [sending, pending];
  const open = isMoved.typing ? [] : openIn(typing);
  const spans =
    old === undefined
      ? [draft]
      : [...changes.map((one) => spansOf(old, one)), spansOf(old, noChanges, isMoved.typing ? {} : typing)];
  const known = new Map(spans.flatMap((own) => Object.entries(own)).map(([index, span]) => [Number(index), span]));
  const named = changes.flatMap(({ edits, translations }) => Object.keys({ ...edits, ...translations }).map(Number));
  const corrected = new Set([...named, ...open]);
  const isSame = [...known].every(([index, span]) => isAt(segments, index, span));
  const whole = regrouped(segments, new Map([...known].filter(([index]) => corrected.has(index))));
  const all = (index: number) => {
    const span = known.get(index);
    return span === undefined ? [index] : partsWithin(whole.segments, span);
  };
  const one = (index: number) => (!known.has(index) ? index : isSame ? index : (whole.indexOf(index) ?? all(index)[0]));
  const regroup = (one: Regroup) => movedRegroup(whole.segments, one, (index) => known.get(index));
  return { isSame, segments: whole.segments, indexMap: isSame ? staying : { one, all, regroup } };
}

const staying: IndexMap = { one: (index) => index, all: (index) => [index], regroup: (one) => one };

/** Maps the segments shown before: to the same index if the number is equal. */
function between(before: readonly Segment[], now: readonly Segment[]): IndexMap {
  if (before.length === now.length) return staying;
  return bySpans(Object.fromEntries(before.map((segment, index) => [index, spanOf(segment)])), now);
}

function bySpans(spans: Spans, now: readonly Segment[]): IndexMap {
  if (Object.entries(spans).every(([index, span]) => isAt(now, Number(index), span))) return staying;
  const all = (index: number) => {
    const span = spans[index];
    return span === undefined ? [index] : isAt(now, index, span) ? [index] : partsWithin(now, span);
  };
  return { one: (index) => all(index)[0], all, regroup: (one) => movedRegroup(now, one, (index) => spans[index]) };
}

/** Moves changes to the current places of their segments; input for missing segments is lost. */
function moved(changes: Changes, indexMap: IndexMap, before: readonly Segment[] | undefined, lost: Lost[]): Changes {
  if (indexMap === staying) return changes;
  const lose = (index: number, text: string, count = 1) => {
    const segments = before?.slice(index, index + count) ?? [];
    const [first, last] = [segments[0], segments.at(-1)];
    const span: Span | undefined = first && last && [first.start, last.end];
    lost.push({ span, text, before: joinedText(segments.map((segment) => segment.text)) });
  };
  const edits: Record<number, string> = {};
  const bases: Record<number, string> = {};
  for (const [key, text] of Object.entries(changes.edits)) {
    const index = indexMap.one(Number(key));
    const base = changes.bases?.[Number(key)];
    if (index === undefined) lose(Number(key), text);
    else edits[index] = text;
    if (index !== undefined && base !== undefined) bases[index] = base;
  }
  const translations = Object.entries(changes.translations ?? {}).flatMap(([index, text]) => {
    const place = indexMap.one(Number(index));
    return place === undefined ? [] : [[place, text]];
  });
  const speakers = Object.entries(changes.speakers ?? {}).flatMap(([index, name]) =>
    indexMap.all(Number(index)).map((part) => [part, name]),
  );
  const regroups = (changes.regroups ?? []).flatMap((regroup) => {
    const now = indexMap.regroup(regroup);
    if (now === undefined) lose(regroup.index, joinedText(regroup.passages.map(({ text }) => text)), regroup.count);
    return now ?? [];
  });
  const { regroups: _, bases: _bases, ...others } = changes;
  return {
    ...others,
    edits,
    ...(Object.keys(bases).length > 0 && { bases }),
    ...(changes.speakers && { speakers: Object.fromEntries(speakers) }),
    ...(changes.translations && { translations: Object.fromEntries(translations) }),
    ...(regroups.length > 0 && { regroups }),
  };
}

function movedFields(typing: Typing, indexMap: IndexMap, before: readonly Segment[] | undefined, lost: Lost[]): Typing {
  const fields = Object.entries(typing).flatMap(([key, text]) => {
    const field = fieldOf(key);
    if (field === undefined) return [[key, text]];
    const index = indexMap.one(field.index);
    const segment = before?.[field.index];
    if (index === undefined && field.prefix === "" && text !== segment?.text) {
      lost.push({ span: segment && spanOf(segment), text, before: segment?.text ?? "" });
    }
    return index === undefined ? [] : [[`${field.prefix}${index}`, text]];
  });
  return Object.fromEntries(fields);
}

/** Open fields where their passages are, after what divided them otherwise has been discarded. */
export function followedFields(typing: Typing, before: readonly Segment[], now: readonly Segment[]): Typing {
  const indexMap = between(before, now);
  if (indexMap === staying || now.length === 0) return typing;
  const lost: Lost[] = [];
  return withLost(movedFields(typing, indexMap, before, lost), lost, now);
}

/** Moves the input for a passage that is now part of another one into that one's field. */
function withLost(typing: Typing, lost: readonly Lost[], segments: readonly Segment[]): Typing {
  let open = typing;
  for (const { span, text, before } of lost) {
    const middle = span === undefined ? 0 : (span[0] + span[1]) / 2;
    const index = Math.max(
      0,
      segments.findLastIndex(({ start }) => start <= middle),
    );
    const now = open[index] ?? segments[index]?.text ?? "";
    const isBefore = before !== "" && now.includes(before);
    // Rather twice than not at all, unless the other tab's text contains it.
    const amended = isBefore ? now.replace(before, () => text) : now.includes(text) ? now : joinedText([now, text]);
    open = { ...open, [index]: amended };
  }
  return open;
}

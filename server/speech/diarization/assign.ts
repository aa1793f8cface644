import type { Segment, Word } from "#contract/index.ts";
import type { SpeakerTurn } from "./clusters.ts";
import { windowSeconds } from "./protocol.ts";

/**
 * A word outside of all turns belongs to the nearest turn within this distance (seconds), else to the previous speaker.
 */
const nearby = 1;
/**
 * A single word of another speaker, shorter than this and between words of one speaker, is an error of the model
 * (seconds).
 */
const slip = 0.5;

/**
 * Assigns speakers to segments. A segment is split where its words change the speaker. Texts that differ from their
 * joined words (edited ones whose words could not be aligned) are not split: the speaker of most of their time gets
 * them.
 * @param turns by time
 * @param nameOf the label of a speaker
 * @param options.keepsWhole splits no segment: the speaker of most of its time gets it
 */
export function assignSpeakers(
  segments: readonly Segment[],
  turns: readonly SpeakerTurn[],
  nameOf: (speaker: number) => string,
  { keepsWhole = false }: { keepsWhole?: boolean } = {},
): Segment[] {
  let before: number | undefined;
  return segments.flatMap((segment) => {
    const parts = keepsWhole ? [wholeOf(segment, turns, before)] : splitBySpeaker(segment, turns, before);
    before = parts.at(-1)?.speaker ?? before;
    return parts.map(({ segment: part, speaker }) => {
      const { speaker: _, ...nobody } = part;
      return speaker === undefined ? nobody : { ...nobody, speaker: nameOf(speaker) };
    });
  });
}

/** A label that is only a number: the speaker has no name. */
const isNumber = /^\d+$/;

/**
 * The labels of the speakers. A name given by a user stays with the voice that speaks most of the segments with that
 * name. All others are numbered in the order in which they first speak.
 */
export function speakerNames(segments: readonly Segment[], turns: readonly SpeakerTurn[]): (speaker: number) => string {
  const totals = new Map<string, { speaker: number; name: string; seconds: number }>();
  for (const segment of segments) {
    const name = segment.speaker;
    if (name === undefined || isNumber.test(name)) continue;
    const speaker = speakerOf(segment, turns);
    if (speaker === undefined) continue;
    const total = totals.get(`${speaker} ${name}`) ?? { speaker, name, seconds: 0 };
    totals.set(`${speaker} ${name}`, { ...total, seconds: total.seconds + segment.end - segment.start });
  }
  const names = new Map<number, string>();
  for (const { speaker, name } of [...totals.values()].sort((one, other) => other.seconds - one.seconds)) {
    if (!names.has(speaker) && ![...names.values()].includes(name)) names.set(speaker, name);
  }
  return (speaker) => names.get(speaker) ?? String(speaker + 1);
}

interface Part {
  segment: Segment;
  speaker: number | undefined;
}

function wholeOf(segment: Segment, turns: readonly SpeakerTurn[], before: number | undefined): Part {
  return { segment, speaker: speakerOf(segment, turns) ?? before };
}

function splitBySpeaker(segment: Segment, turns: readonly SpeakerTurn[], before: number | undefined): Part[] {
  const { words } = segment;
  if (words.length === 0 || words.map(({ text }) => text).join(" ") !== segment.text.trim()) {
    return [wholeOf(segment, turns, before)];
  }
  const speakers = withoutSlips(words, followed(words, turns, before));
  const parts: Part[] = [];
  let from = 0;
  for (let at = 1; at <= words.length; at += 1) {
    if (at < words.length && speakers[at] === speakers[from]) continue;
    parts.push({ segment: cutOf(segment, words.slice(from, at), at - from === words.length), speaker: speakers[from] });
    from = at;
  }
  return parts;
}

/** The speaker of each word. A word without a turn nearby belongs to the previous speaker. */
function followed(words: readonly Word[], turns: readonly SpeakerTurn[], before: number | undefined): (number | undefined)[] {
  let last = before;
  return words.map((word) => {
    last = speakerOf(word, turns) ?? last;
    return last;
  });
}

function withoutSlips(words: readonly Word[], speakers: readonly (number | undefined)[]): (number | undefined)[] {
  return speakers.map((speaker, at) => {
    const word = words[at];
    const [previous, next] = [speakers[at - 1], speakers[at + 1]];
    const isAmid = at > 0 && at < speakers.length - 1 && previous === next && previous !== speaker;
    return isAmid && word !== undefined && word.end - word.start < slip ? previous : speaker;
  });
}

/** The speaker of most of a stretch; else the speaker of the nearest turn within `nearby`. */
function speakerOf({ start, end }: { start: number; end: number }, turns: readonly SpeakerTurn[]): number | undefined {
  const spoken = new Map<number, number>();
  let nearest: { speaker: number; distance: number } | undefined;
  for (let at = firstEndingAfter(turns, start - nearby); at < turns.length; at += 1) {
    const turn = turns[at];
    if (turn === undefined || turn.start > end + nearby) break;
    const overlap = Math.min(end, turn.end) - Math.max(start, turn.start);
    if (overlap > 0) spoken.set(turn.speaker, (spoken.get(turn.speaker) ?? 0) + overlap);
    else if (nearest === undefined || -overlap < nearest.distance) nearest = { speaker: turn.speaker, distance: -overlap };
  }
  const most = [...spoken].sort(([, one], [, other]) => other - one)[0];
  return most?.[0] ?? (nearest !== undefined && nearest.distance <= nearby ? nearest.speaker : undefined);
}

/**
 * Index of the first turn that may reach a time (seconds), by bisection. Turns overlap, but none is longer than a
 * window.
 */
function firstEndingAfter(turns: readonly SpeakerTurn[], time: number): number {
  let [low, high] = [0, turns.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((turns[middle]?.start ?? 0) < time - windowSeconds) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** A part of a segment. The translation belongs to the whole segment, so a part does not keep it. */
function cutOf(segment: Segment, words: Word[], isWhole: boolean): Segment {
  if (isWhole) return segment;
  const { translation: _, ...rest } = segment;
  const [first, last] = [words[0], words.at(-1)];
  return {
    ...rest,
    start: first?.start ?? segment.start,
    end: last?.end ?? segment.end,
    text: words.map(({ text }) => text).join(" "),
    words,
  };
}

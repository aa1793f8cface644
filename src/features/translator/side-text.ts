import { textOf, translatedTextOf } from "#contract/correcting/text.ts";
import type { Segment } from "#contract/index.ts";
import type { Side } from "#machines/translator/events.ts";
import type { CaptionsState } from "#src/audio/captions.ts";
import type { Turn } from "./turns.ts";

/** A final piece of text. */
interface Piece {
  key: string;
  text: string;
}

/** The text of one side. */
export interface SideText {
  pieces: readonly Piece[];
  /** Interim text. The part after its first `stable` characters may still change. */
  interim: { text: string; stable?: number | undefined };
  /** Whether more text is expected. */
  isPending: boolean;
  /** Whether some of the text could not be translated. */
  hasFailed: boolean;
}

interface Now {
  side: Side;
  /** The side that speaks or types, or did last. */
  speaker: Side;
  isUnderWay: boolean;
  typed: string | null;
  captions: CaptionsState;
  last: Turn | undefined;
}

const nothing = { text: "" };

/**
 * The text of a side: its own words as they are spoken, or the translation of the other side's. Between turns, the last
 * turn.
 */
export function sideText({ side, speaker, isUnderWay, typed, captions, last }: Now): SideText {
  const isOwn = side === speaker;
  if (!isUnderWay) {
    const pieces = last === undefined ? [] : piecesOf(last.segments, last.side === side, last.id);
    return { pieces, interim: nothing, isPending: false, hasFailed: false };
  }
  if (typed !== null)
    return { pieces: isOwn ? [{ key: "typed", text: typed }] : [], interim: nothing, isPending: !isOwn, hasFailed: false };
  return isOwn
    ? {
        pieces: piecesOf(captions.lines, true, "live"),
        interim: captions.partial ?? nothing,
        isPending: false,
        hasFailed: false,
      }
    : translated(captions);
}

/** Text before the first pending translation is final. The translation of the rest may still change. */
function translated({ lines, partial }: CaptionsState): SideText {
  const waiting = lines.findIndex(({ translating }) => translating === "pending");
  const [done, rest] = waiting < 0 ? [lines, []] : [lines.slice(0, waiting), lines.slice(waiting)];
  const drafts = [...rest.map(({ translation, draft = "" }) => translation ?? draft), partial?.translation ?? ""];
  return {
    pieces: piecesOf(done, false, "live"),
    interim: { text: drafts.filter((text) => text !== "").join(" ") },
    isPending: rest.length > 0,
    hasFailed: lines.some(({ translating }) => translating === "failed"),
  };
}

/** The number of earlier turns to which the face-to-face view can scroll. The ordinary view has all turns. */
const maxEarlier = 100;

/** The turns before the text of `sideText`, in the language of this side; oldest first. */
export function earlierTexts(turns: readonly Turn[], side: Side, isUnderWay: boolean): readonly Piece[] {
  const before = isUnderWay ? turns : turns.slice(0, -1);
  return before.slice(-maxEarlier).flatMap((turn) => {
    const text = turn.side === side ? textOf(turn.segments) : translatedTextOf(turn.segments);
    return text === "" ? [] : [{ key: turn.id, text }];
  });
}

function piecesOf(segments: readonly Segment[], isOwn: boolean, prefix: string): readonly Piece[] {
  return segments.flatMap(({ start, text, translation = "" }) => {
    const shown = (isOwn ? text : translation).trim();
    return shown === "" ? [] : [{ key: `${prefix}-${start}-${shown.length}`, text: shown }];
  });
}

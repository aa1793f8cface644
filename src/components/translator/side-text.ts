import type { Side } from "../../../machines/translator-events.ts";
import { type Turn, textOfTurn, translationOfTurn } from "../../app/turns.ts";
import type { CaptionsState } from "../../audio/captions.ts";

/** What one side reads. */
export interface SideText {
  text: string;
  /** What is being said at this moment, and may still change. */
  partial: string;
  /** More is to come. */
  isPending: boolean;
}

interface Now {
  side: Side;
  /** Who speaks or types, or did last. */
  speaker: Side;
  isUnderWay: boolean;
  typed: string | null;
  captions: CaptionsState;
  last: Turn | undefined;
}

const joined = (texts: readonly string[]) => texts.filter((text) => text.trim() !== "").join(" ");

/** Its own words as they are spoken; the other side's in translation; between turns, the last turn. */
export function sideText({ side, speaker, isUnderWay, typed, captions, last }: Now): SideText {
  if (!isUnderWay) return { text: last ? turnText(last, side) : "", partial: "", isPending: false };
  if (typed !== null) return { text: side === speaker ? typed : "", partial: "", isPending: side !== speaker };
  const { lines, partial } = captions;
  if (side === speaker) {
    return { text: joined(lines.map(({ text }) => text)), partial: partial?.text ?? "", isPending: false };
  }
  return {
    text: joined(lines.map(({ translation }) => translation ?? "")),
    partial: "",
    isPending: lines.some(({ translating }) => translating === "pending"),
  };
}

function turnText(turn: Turn, side: Side): string {
  return turn.side === side ? textOfTurn(turn) : translationOfTurn(turn);
}

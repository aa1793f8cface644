import type { RecorderEmitted, RecorderEvent } from "#machines/dictation/events.ts";

/** The two sides of a conversation: 0 is the device's owner, 1 the other person. */
export type Side = 0 | 1;

/** Text that was typed instead of spoken. */
export interface TypedText {
  side: Side;
  text: string;
}

/**
 * A person's actions on the turn being recorded, which the recorder receives unchanged. Retry: after a failure; keep
 * and discard: for a recording without recognized speech.
 */
type TurnControl = Extract<RecorderEvent, { type: `${"stop" | "pause" | "resume" | "retry" | "keep" | "discard"}.requested` }>;

/** What the page and the actors send to the translator. */
export type TranslatorEvent =
  /** The person: a side starts to speak; Stop, which also ends playback; and a retry after the recording failed. */
  | { type: "speak.requested"; side: Side }
  | TurnControl
  /** The person typed a turn for this side. */
  | ({ type: "text.submitted" } & TypedText)
  /** The person replays a turn: the original, or its translation. */
  | { type: "replay.requested"; turnId: string }
  | { type: "translation.playRequested"; turnId: string }
  /** The route is left. */
  | { type: "page.left" }
  /** The actor `recorder`: the recorder's events. `isSpoken`: the turn has a translation to speak. */
  | Exclude<RecorderEmitted, { type: "recording.saved" }>
  | { type: "recording.saved"; isSpoken: boolean }
  /** The actor `usage`: whether the month's free minutes are used up. */
  | { type: "usage.changed"; isUsedUp: boolean };

/** What is sent to the actor `recorder`. */
export type TurnCommand = { type: "start.requested"; side: Side } | TurnControl | { type: "reset.requested" };

/** The shown state. While a turn is recorded, the recorder's own state is shown instead. */
export type TranslatorTag = "underWay" | "translating" | "speaking" | "replaying" | "nothingHeard" | "limited" | "failed";

export interface TranslatorContext {
  /** The last or current speaker. */
  side: Side;
  /** The turn was started on this page, which is still open: its translation is spoken. */
  isAttended: boolean;
  /** The text being translated, or whose translation failed. */
  typed: TypedText | null;
  /** The turn being replayed; null for the one just spoken. */
  turnId: string | null;
  /** Why it is in `failed`: an error code, or one of the microphone's problems. */
  failure: string | null;
  /** Why the last speech or playback failed. */
  voiceFailure: string | null;
  isUsedUp: boolean;
}

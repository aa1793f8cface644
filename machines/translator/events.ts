import type { RecorderPhase } from "#machines/dictation/selectors.ts";

/** The two sides of a conversation: 0 is whoever's device it is, 1 the other one. */
export type Side = 0 | 1;

/** What somebody typed instead of saying it. */
export interface TypedText {
  side: Side;
  text: string;
}

/** What the page and the actors tell the translator. */
export type TranslatorEvent =
  /** The person: this side speaks; has spoken, or wants it quiet; wants not to be heard for a while; wants to go on. */
  | { type: "speak.requested"; side: Side }
  | { type: "stop.requested" }
  | { type: "pause.requested" }
  | { type: "resume.requested" }
  /** After a failure; or about a recording in which nothing was heard. */
  | { type: "retry.requested" }
  | { type: "keep.requested" }
  | { type: "discard.requested" }
  /** The person typed what this side says. */
  | ({ type: "text.submitted" } & TypedText)
  /** The person wants to hear a turn again: what was said, or its translation. */
  | { type: "replay.requested"; turnId: string }
  | { type: "aloud.requested"; turnId: string }
  /** The route: it is left. */
  | { type: "page.left" }
  /** The actor `recorder`: where the recording of a turn is; `failure` is a code. */
  | { type: "recorder.changed"; phase: RecorderPhase; failure: string | null }
  /** The actor `usage`: whether the month's free minutes are used up. */
  | { type: "usage.changed"; isUsedUp: boolean };

/** What the actor `recorder` is told. */
export type TurnCommand =
  | { type: "start"; side: Side }
  | { type: "stop" }
  | { type: "pause" }
  | { type: "resume" }
  | { type: "retry" }
  | { type: "keep" }
  | { type: "discard" }
  | { type: "reset" };

export interface TranslatorContext {
  /** Who spoke last, or speaks. */
  side: Side;
  /** The turn was begun on this page by somebody who is still there: its translation is spoken. */
  isAttended: boolean;
  /** What is being translated, or could not be. */
  typed: TypedText | null;
  /** What is being heard again; null for the turn that has just been spoken. */
  turnId: string | null;
  /** Why it stands in `failed`: an error code, or one of the microphone's problems. */
  failure: string | null;
  /** Why nothing was heard the last time something should have been spoken or played. */
  voiceFailure: string | null;
  isUsedUp: boolean;
}

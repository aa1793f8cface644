import type { LoadingEvent } from "#machines/collection/loading.ts";
import type { ShownOnceEvent } from "#machines/collection/shown-once.ts";

/** A change to a second factor that is on: turn it off, or create new recovery codes. */
export type SecondFactorWish = "off" | "newCodes";

export type SecondFactorEvent =
  /** The person turns it on: the password form opens, is submitted, or is closed. */
  | { type: "setUp.requested" }
  | { type: "password.submitted"; password: string }
  /** The code that the authenticator app shows after it got the secret. */
  | { type: "code.submitted"; proof: string }
  /** The person changes a second factor that is on: the form for password and code opens, and is submitted. */
  | { type: "change.requested"; wish: SecondFactorWish }
  | { type: "change.submitted"; password: string; proof: string }
  | { type: "form.dismissed" }
  | ShownOnceEvent
  | LoadingEvent;

/** Emitted to the page: all other sessions of the account have ended. */
export interface SecondFactorEmitted {
  type: "secondFactor.changed";
  /** Whether signing in now needs a code. */
  isOn: boolean;
}

import type { LoadingEvent } from "#machines/collection/loading.ts";
import type { ShownOnceEvent } from "#machines/collection/shown-once.ts";

/** What is done with a second factor that is on: turned off, or given new recovery codes. */
export type SecondFactorWish = "off" | "newCodes";

export type SecondFactorEvent =
  /** The person wants to turn it on: the form that asks for the password opens, is sent, or is given up. */
  | { type: "setUp.requested" }
  | { type: "password.submitted"; password: string }
  /** What the authenticator app shows, once it has the secret. */
  | { type: "code.submitted"; proof: string }
  /** The person wants to change what is on: the form that asks for both opens, and is sent. */
  | { type: "change.requested"; wish: SecondFactorWish }
  | { type: "change.submitted"; password: string; proof: string }
  | { type: "form.dismissed" }
  | ShownOnceEvent
  | LoadingEvent;

/** Emitted to the page: every other way into the account has ended. */
export interface SecondFactorEmitted {
  type: "secondFactor.changed";
  /** Signing in asks for a code from now on. */
  isOn: boolean;
}

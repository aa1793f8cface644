import type { UserProfile } from "#contract/index.ts";
import type { StoredSession } from "./rules.ts";

export type SessionEvent =
  /** A sign-in on this page; the answer's token, decoded. */
  | { type: "token.stored"; stored: StoredSession }
  /** The stored token was changed by another tab, or removed by hand. */
  | { type: "storage.changed"; stored: StoredSession }
  /** A caller needs a new token, even if the old one is still valid. */
  | { type: "refresh.requested" }
  /** The server answered 401 to a call made with `refused`. `isBackground`: no page has made the call. */
  | { type: "unauthorized.answered"; refused: string; isBackground?: boolean }
  /** A waiting person retries a request that has no answer. */
  | { type: "retry.requested" }
  /** A route guard or a page needs the profile that the server has; a read in flight is enough. */
  | { type: "profile.requested" }
  /** The profile has just changed on the server: a read in flight may be too old. */
  | { type: "profile.outdated" }
  /** The server's answer after the person changed the profile. */
  | { type: "profile.changed"; user: UserProfile }
  /** Another tab has persisted a newer profile. */
  | { type: "profile.persisted"; user: UserProfile }
  /** The person pressed Log out. */
  | { type: "signOut.requested" }
  /** The window event `auth:force-logout` was raised by someone else. */
  | { type: "forceLogout.heard" }
  /** The page is visible again, or the network is back: timers may have been paused. */
  | { type: "page.resumed" }
  /**
   * A call or a navigation relies on the session. Browsers fire no storage event in the tab that made the change, so
   * the storage is read again.
   */
  | { type: "session.reliedOn" }
  /** Raised by the machine itself: calls the logout endpoint; its answer is ignored. */
  | { type: "logout.due" };

export type SessionEmitted =
  | { type: "session.started"; origin: "signIn" | "other" }
  | { type: "session.ended"; reason: EndReason }
  /** The page dispatches it as the window event `auth:force-logout`. */
  | { type: "logout.forced" }
  /** The session's state was reset: other state of this person must be reset, too. */
  | { type: "state.reset" }
  /** The known profile was read again, here or in another tab. `areLost`: the person is no superuser any more. */
  | { type: "rights.read"; areLost: boolean }
  /** The server is slow to end the session. */
  | { type: "signOut.delayed" };

/**
 * signedOut: requested by the person; expired: a refresh failed; refused: a refresh failed after a call's 401; forced:
 * forced logout; elsewhere: the stored token disappeared.
 */
export type EndReason = "signedOut" | "expired" | "refused" | "forced" | "elsewhere";

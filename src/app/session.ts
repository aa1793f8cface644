import { selectUserId } from "../../machines/session.ts";
import { markerRelease, type StoredSession } from "../../machines/session-rules.ts";
import { createAuthApi, type SignedIn } from "../api/auth.ts";
import { apiBase, createCall, createPlainSend, withBearer } from "../api/http.ts";
import { createUsersApi } from "../api/users.ts";
import { createSession, listenToPage, type Session } from "./create-session.ts";
import { createLock } from "./lock.ts";
import { createRefresh } from "./refresh.ts";
import { followSession } from "./session-news.ts";
import { createSessionStore } from "./session-store.ts";
import { clockOffsetOf, readToken } from "./session-token.ts";
import { storage } from "./storage.ts";

const now = () => Date.now();
/** Without a token: for the calls that the session is made of. */
export const plainSend = createPlainSend(apiBase, (input, init) => fetch(input, init));
const auth = createAuthApi(createCall(plainSend));
const store = createSessionStore(storage);
// What sets or takes away the refresh cookie happens in one tab at a time: else two tabs could mix two people's answers.
const lock = createLock("parlance-session", navigator.locks);

const loadProfile = (token: string, signal: AbortSignal) =>
  createUsersApi(createCall((path, init = {}) => plainSend(path, withBearer(init, token)))).me(signal);

/** SPEC.md section 4: the shared marker of a refresh is released 100 ms after it. */
const markerReleased = async () => {
  await new Promise((resolve) => AbortSignal.timeout(markerRelease).addEventListener("abort", resolve, { once: true }));
};

/** Who is signed in; lives as long as the page. */
export const session: Session = createSession({
  store,
  refresh: createRefresh({ store, lock, ask: auth.refresh, now, settle: markerReleased }),
  logout: (signal) => lock(() => auth.logout(signal)),
  loadProfile,
  now,
  listen: (send) => listenToPage(window, send),
});
followSession(session);
session.start();

/** The claim `sub` of the token; null when nobody is signed in. */
export function currentUserId(): string | null {
  return selectUserId(session.getSnapshot());
}

/** Ends the session in all tabs. */
export function signOut(): void {
  session.send({ type: "signOut.requested" });
}

/**
 * The calls that begin a session, one tab at a time.
 * @throws ApiError, NoTokenError
 */
export const entrance = {
  signIn: ((credentials, signal) => lock(() => auth.login(credentials, signal))) satisfies typeof auth.login,
  signUp: ((registration, signal) => lock(() => auth.register(registration, signal))) satisfies typeof auth.register,
  /** Who a token belongs to that is not the session's yet. */
  profileOf: loadProfile,
  /** A token for whoever this browser's refresh cookie stands for. */
  askByCookie: (signal: AbortSignal) => lock(() => auth.refresh(signal)),
};

/** Begins the session with what the server has just answered. @throws InvalidTokenError */
export function beginSession({ accessToken, user }: SignedIn): void {
  const stored: StoredSession = {
    token: readToken(accessToken),
    clockOffset: clockOffsetOf(accessToken, now()),
    user: user ?? null,
  };
  session.send({ type: "token.stored", stored });
}

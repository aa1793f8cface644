import { markerRelease, type StoredSession } from "#machines/session/rules.ts";
import { selectToken, selectUserId } from "#machines/session/selectors.ts";
import { createUsersApi } from "#src/api/account.ts";
import {
  ApiError,
  apiBase,
  createCall,
  createPlainSend,
  createSend,
  type Send,
  type TokenSource,
  withBearer,
} from "#src/api/http.ts";
import { createAuthApi, type SignedIn } from "#src/api/session.ts";
import { createLock } from "#src/browser/lock.ts";
import { isAway } from "#src/browser/network.ts";
import { storage } from "#src/browser/storage.ts";
import type { ReadableStore } from "#src/browser/store.ts";
import { createSession, listenToPage, type Session } from "./create-session.ts";
import { forceLogoutEvent, takeOver } from "./early-events.ts";
import { followSession } from "./effects.ts";
import { hedgeAfter } from "./hedge.ts";
import { clockOffsetOf, readToken } from "./jwt.ts";
import { createRefresh } from "./refresh.ts";
import { createSessionStore } from "./store.ts";
import { createTokenSource } from "./token-source.ts";

const now = () => Date.now();
/** Sends requests without a token, for calls that create the session. */
export const plainSend = createPlainSend(apiBase, (input, init) => fetch(input, init));
const auth = createAuthApi(createCall(plainSend));
const store = createSessionStore(storage);
// Calls that change the refresh cookie run in one tab at a time. Otherwise two tabs could mix the answers of two users.
const lock = createLock("parlance-session", navigator.locks);

/** SPEC.md section 4: the marker that other tabs see is released 100 ms after a refresh. */
const markerReleased = () => after(markerRelease);
const overdue = () => after(hedgeAfter);

/** @param ms minimum delay */
async function after(ms: number): Promise<void> {
  await new Promise((resolve) => AbortSignal.timeout(ms).addEventListener("abort", resolve, { once: true }));
}

let open: Session | undefined;

/** The session; created on first use, lives as long as the page. */
export function openSession(): Session {
  if (open !== undefined) return open;
  const session = createSession({
    store,
    refresh: createRefresh({ store, lock, ask: auth.refresh, overdue, now, settle: markerReleased }),
    logout: (signal) => lock(() => auth.logout(signal)),
    // Like every call of a signed-in page: a 401 leads to one refresh and one retry.
    loadProfile: async (signal) => {
      if (selectToken(session.getSnapshot()) === undefined) throw new ApiError(401, "unauthorized", "No auth token");
      return createUsersApi(createCall(backgroundSend)).me(signal);
    },
    now,
    isAway,
    listen: (send) => listenToPage(window, send),
  });
  open = session;
  followSession(session);
  takeOver(forceLogoutEvent);
  return session.start();
}

/** Replaces the page's session. For tests. */
export function setSession(session: Session): void {
  open = session;
}

/** The session's tokens for calls to the API. */
export const tokens: TokenSource = createTokenSource(openSession);
/** Calls the API as the signed-in user. */
export const send: Send = createSend(plainSend, tokens);
/** The same, for calls that no page has requested. */
const backgroundSend = createSend(plainSend, createTokenSource(openSession, undefined, true));

/** The token's claim `sub`; null when nobody is signed in. */
export function currentUserId(): string | null {
  return selectUserId(openSession().getSnapshot());
}

/** `currentUserId` as an observable value. */
export const signedInUser: ReadableStore<string | null> = {
  get: currentUserId,
  subscribe: (listener) => {
    const { unsubscribe } = openSession().subscribe(listener);
    return unsubscribe;
  },
};

/** Ends the session in all tabs. */
export function signOut(): void {
  openSession().send({ type: "signOut.requested" });
}

/**
 * The calls that create a session. They run in one tab at a time.
 * @throws ApiError, NoTokenError
 */
export const authApi = {
  signIn: ((credentials, signal) => lock(() => auth.login(credentials, signal))) satisfies typeof auth.login,
  signUp: ((registration, signal) => lock(() => auth.register(registration, signal))) satisfies typeof auth.register,
  /** Exchanges the address's one-time code for a token. */
  exchange: (code: string, signal: AbortSignal) => lock(() => auth.exchange(code, signal)),
  /** The provider's account that waits to be linked, and the call that links it. */
  pendingLink: ((signal) => auth.pendingLink(signal)) satisfies typeof auth.pendingLink,
  link: ((password, signal) => lock(() => auth.link(password, signal))) satisfies typeof auth.link,
  /** The owner of a token that does not belong to the session yet, so no refresh is possible. */
  profileOf: (token: string, signal: AbortSignal) =>
    createUsersApi(createCall((path, init = {}) => plainSend(path, withBearer(init, token)))).me(signal),
  /** Any other call that creates a session, in one tab at a time. */
  alone: (<Answer>(ask: () => Promise<Answer>) => lock(ask)) satisfies typeof lock,
  /** Requests a new token with this browser's refresh cookie. */
  askByCookie: (signal: AbortSignal) => lock(() => auth.refresh(signal)),
};

/** Starts the session with the server's answer. @throws InvalidTokenError */
export function beginSession({ accessToken, user }: SignedIn): void {
  const stored: StoredSession = {
    token: readToken(accessToken),
    clockOffset: clockOffsetOf(accessToken, now()),
    user: user ?? null,
  };
  openSession().send({ type: "token.stored", stored });
}

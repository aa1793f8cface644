import { markerRelease, type StoredSession } from "#machines/session/rules.ts";
import { selectToken, selectUserId } from "#machines/session/selectors.ts";
import { createAuthApi, type SignedIn } from "#src/api/auth.ts";
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
import { createUsersApi } from "#src/api/users.ts";
import { createLock } from "#src/browser/lock.ts";
import { storage } from "#src/browser/storage.ts";
import type { ReadableStore } from "#src/browser/store.ts";
import { createSession, listenToPage, type Session } from "./create-session.ts";
import { forceLogoutEvent, takeOver } from "./early-events.ts";
import { followSession } from "./effects.ts";
import { clockOffsetOf, readToken } from "./jwt.ts";
import { createRefresh } from "./refresh.ts";
import { createSessionStore } from "./store.ts";
import { createTokenSource } from "./token-source.ts";

const now = () => Date.now();
/** Without a token: for the calls that the session is made of. */
export const plainSend = createPlainSend(apiBase, (input, init) => fetch(input, init));
const auth = createAuthApi(createCall(plainSend));
const store = createSessionStore(storage);
// What sets or takes away the refresh cookie happens in one tab at a time: else two tabs could mix two people's answers.
const lock = createLock("parlance-session", navigator.locks);

/** SPEC.md section 4: the shared marker of a refresh is released 100 ms after it. */
const markerReleased = async () => {
  await new Promise((resolve) => AbortSignal.timeout(markerRelease).addEventListener("abort", resolve, { once: true }));
};

let open: Session | undefined;

/** Who is signed in; begun when it is first asked for, and lives as long as the page. */
export function openSession(): Session {
  if (open !== undefined) return open;
  const session = createSession({
    store,
    refresh: createRefresh({ store, lock, ask: auth.refresh, now, settle: markerReleased }),
    logout: (signal) => lock(() => auth.logout(signal)),
    // As every call of a signed-in page: a 401 is followed by one refresh and one more try.
    loadProfile: async (signal) => {
      if (selectToken(session.getSnapshot()) === undefined) throw new ApiError(401, "unauthorized", "No auth token");
      return createUsersApi(createCall(send)).me(signal);
    },
    now,
    listen: (tell) => listenToPage(window, tell),
  });
  open = session;
  followSession(session);
  takeOver(forceLogoutEvent);
  return session.start();
}

/** The page's session is this one from now on: tests make their own. */
export function setSession(session: Session): void {
  open = session;
}

/** The session's tokens, as the calls to the API want them. */
export const tokens: TokenSource = createTokenSource(openSession);
/** Asks the API as whoever is signed in. */
export const send: Send = createSend(plainSend, tokens);

/** The claim `sub` of the token; null when nobody is signed in. */
export function currentUserId(): string | null {
  return selectUserId(openSession().getSnapshot());
}

/** The same, for who follows it. */
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
 * The calls that begin a session, one tab at a time.
 * @throws ApiError, NoTokenError
 */
export const authApi = {
  signIn: ((credentials, signal) => lock(() => auth.login(credentials, signal))) satisfies typeof auth.login,
  signUp: ((registration, signal) => lock(() => auth.register(registration, signal))) satisfies typeof auth.register,
  /** The token that a one-time code in the address stands for. */
  exchange: (code: string, signal: AbortSignal) => lock(() => auth.exchange(code, signal)),
  /** The provider's account that waits to be linked, and what links it. */
  pendingLink: ((signal) => auth.pendingLink(signal)) satisfies typeof auth.pendingLink,
  link: ((password, signal) => lock(() => auth.link(password, signal))) satisfies typeof auth.link,
  /** Who a token belongs to that is not the session's yet: there is nothing to refresh. */
  profileOf: (token: string, signal: AbortSignal) =>
    createUsersApi(createCall((path, init = {}) => plainSend(path, withBearer(init, token)))).me(signal),
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
  openSession().send({ type: "token.stored", stored });
}

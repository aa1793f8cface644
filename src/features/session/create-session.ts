import { createActor, fromCallback, fromPromise } from "xstate";
import type { UserProfile } from "#contract/index.ts";
import type { SessionEvent } from "#machines/session/events.ts";
import { sessionMachine } from "#machines/session/machine.ts";
import { inspected } from "#src/browser/inspection.ts";
import { listenForWaking } from "#src/browser/page-events.ts";
import { forceLogoutEvent } from "./early-events.ts";
import type { Refresh } from "./refresh.ts";
import type { SessionStore } from "./store.ts";

export interface SessionEnvironment {
  store: SessionStore;
  refresh: Refresh;
  /** Calls the logout endpoint and ignores a failure. */
  logout(signal: AbortSignal): Promise<void>;
  /** Loads the signed-in user's profile. */
  loadProfile(signal: AbortSignal): Promise<UserProfile>;
  /** Epoch ms. */
  now(): number;
  /** Whether the network or the server is unreachable; default: not known. */
  isAway?(): boolean;
  /** Subscribes to page events. @returns the unsubscribe function */
  listen(send: (event: SessionEvent) => void): () => void;
}

/** Creates the session, not started yet. @param options of the actor (a test's clock) */
export function createSession(
  environment: SessionEnvironment,
  options: Pick<NonNullable<Parameters<typeof createActor>[1]>, "clock"> = {},
) {
  const { store } = environment;
  const machine = sessionMachine.provide({
    actors: {
      environment: fromCallback(({ receive, sendBack }) => {
        receive(() => {
          const stored = store.read();
          if (stored.token === null) sendBack({ type: "storage.changed", stored });
        });
        const stops = [
          store.subscribe(() => sendBack({ type: "storage.changed", stored: store.read() })),
          store.subscribeUser(() => {
            const { user } = store.read();
            if (user !== null) sendBack({ type: "profile.persisted", user });
          }),
          environment.listen((event) => sendBack(event)),
        ];
        return () => {
          for (const stop of stops) stop();
        };
      }),
      refresh: fromPromise(({ input, signal }) => environment.refresh(input.token, signal)),
      logout: fromPromise(({ signal }) => environment.logout(signal)),
      loadProfile: fromPromise(({ input, signal }) =>
        orPersistedProfile(store, async () => named(await environment.loadProfile(signal), input.userId)),
      ),
    },
    actions: {
      persist: (_, stored) => store.persist(stored),
      persistUser: (_, user) => store.persistUser(user),
      clearToken: () => store.clearToken(),
      clearPersistedState: () => attempt("The persisted session could not be deleted", () => store.clearPersistedState()),
    },
  });
  return createActor(machine, {
    ...inspected(),
    ...options,
    input: { stored: store.read(), now: environment.now, isAway: () => environment.isAway?.() === true },
  });
}

/**
 * Prefers a profile that another tab has persisted meanwhile, because it is at least as new as the server's answer.
 * @throws Error when the profile was removed meanwhile, by a sign-out in another tab
 */
async function orPersistedProfile(store: SessionStore, ask: () => Promise<UserProfile>): Promise<UserProfile> {
  const before = JSON.stringify(store.read().user);
  const answer = await ask();
  const { user } = store.read();
  if (JSON.stringify(user) === before) return answer;
  if (user === null) throw new Error("The profile was removed while it was asked for.");
  return user;
}

/** Adds the token's user id to a profile without an id (SPEC.md has none), or with that id as its email address. */
function named(user: UserProfile, userId: string): UserProfile {
  return user.id === "" || user.email === userId ? { ...user, id: userId } : user;
}

export type Session = ReturnType<typeof createSession>;

/** SPEC.md section 4, "Forced logout": "If either step fails, a warning is logged and the process continues". */
function attempt(failure: string, step: () => void): void {
  try {
    step();
  } catch (error) {
    console.warn(`${failure}:`, error);
  }
}

/**
 * Runs `reset` when a user signs out (SPEC.md section 4, "Logout").
 * @param what name of the state in warnings
 * @returns unsubscribes
 */
export function resetWith(session: Session, what: string, reset: () => void): () => void {
  const { unsubscribe } = session.on("state.reset", () => attempt(`${what} could not be reset`, reset));
  return unsubscribe;
}

/**
 * Listens to page events after which time may have passed unnoticed, or which end the session. @returns unsubscribes
 */
export function listenToPage(page: Window, send: (event: SessionEvent) => void): () => void {
  const wake = () => send({ type: "page.resumed" });
  const stopWaking = listenForWaking(wake, page);
  // Not every focus event means that timers were paused: another window (the developer tools) may have had the focus.
  page.addEventListener("focus", wake);
  const forced = () => send({ type: "forceLogout.heard" });
  page.addEventListener(forceLogoutEvent, forced);
  return () => {
    stopWaking();
    page.removeEventListener("focus", wake);
    page.removeEventListener(forceLogoutEvent, forced);
  };
}

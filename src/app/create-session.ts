import { createActor, fromCallback, fromPromise } from "xstate";
import { sessionMachine } from "../../machines/session.ts";
import type { SessionEvent } from "../../machines/session-setup.ts";
import type { UserProfile } from "../api/contract/index.ts";
import { inspected } from "./inspection.ts";
import { listenForWaking } from "./page-events.ts";
import type { Refresh } from "./refresh.ts";
import type { SessionStore } from "./session-store.ts";

export const forceLogoutEvent = "auth:force-logout";

export interface SessionWorld {
  store: SessionStore;
  refresh: Refresh;
  /** Tells the server; a failure is nobody's concern. */
  logout(signal: AbortSignal): Promise<void>;
  loadProfile(token: string, signal: AbortSignal): Promise<UserProfile>;
  /** Epoch ms. */
  now(): number;
  /** What happens to the page. @returns what ends it */
  listen(send: (event: SessionEvent) => void): () => void;
}

/** The session, not started yet. @param options of the actor (a test's clock) */
export function createSession(world: SessionWorld, options: Pick<NonNullable<Parameters<typeof createActor>[1]>, "clock"> = {}) {
  const { store } = world;
  const machine = sessionMachine.provide({
    actors: {
      world: fromCallback(({ sendBack }) => {
        const stops = [
          store.subscribe(() => sendBack({ type: "storage.changed", stored: store.read() })),
          world.listen((event) => sendBack(event)),
        ];
        return () => {
          for (const stop of stops) stop();
        };
      }),
      refresh: fromPromise(({ input, signal }) => world.refresh(input.token, signal)),
      logout: fromPromise(({ signal }) => world.logout(signal)),
      loadProfile: fromPromise(({ input, signal }) => world.loadProfile(input.token, signal)),
    },
    actions: {
      keep: (_, stored) => store.keep(stored),
      keepUser: (_, user) => store.keepUser(user),
      clearToken: () => store.clearToken(),
      wipe: () => store.wipe(),
    },
  });
  return createActor(machine, { ...inspected(), ...options, input: { stored: store.read(), now: world.now } });
}

export type Session = ReturnType<typeof createSession>;

/** What in a page means that time may have passed unnoticed, or that somebody wants the session ended. @returns what ends it */
export function listenToPage(page: Window, send: (event: SessionEvent) => void): () => void {
  const stopWaking = listenForWaking(() => send({ type: "woke" }), page);
  const forced = () => send({ type: "forceLogout.heard" });
  page.addEventListener(forceLogoutEvent, forced);
  return () => {
    stopWaking();
    page.removeEventListener(forceLogoutEvent, forced);
  };
}

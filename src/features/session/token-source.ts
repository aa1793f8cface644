import { waitFor } from "xstate";
import {
  selectIsExpired,
  selectIsRefreshing,
  selectIsSignedOut,
  selectIsWaitingForNetwork,
  selectLiveToken,
  selectToken,
  selectUserId,
} from "#machines/session/selectors.ts";
import { ApiError, type TokenSource } from "#src/api/http.ts";
import type { Session } from "./create-session.ts";
import { readToken } from "./jwt.ts";

/** Returns a signal that aborts when a call has waited long enough. Called only if there is something to wait for. */
type Deadline = () => AbortSignal;

/**
 * The maximum time that a call waits for the session (ms). Then the call fails as unreachable, and the session keeps
 * trying.
 */
export const longestWaitMs = 14_000;

/**
 * Waits until it is clear whether somebody is signed in.
 * @param options without a `deadline`, waits as long as the server takes
 * @returns a valid token; undefined when nobody is signed in
 * @throws the deadline's reason, or the signal's
 */
export async function whenDecided(
  session: Session,
  { signal, deadline }: { signal?: AbortSignal | undefined; deadline?: Deadline } = {},
): Promise<string | undefined> {
  signal?.throwIfAborted();
  session.send({ type: "session.reliedOn" });
  const token = selectLiveToken(session.getSnapshot());
  if (token !== undefined) return token;
  // The token may have expired while the computer slept, before any timer fired.
  session.send({ type: "page.resumed" });
  if (selectIsExpired(session.getSnapshot())) session.send({ type: "refresh.requested" });
  const isDecided = (now: Snapshot) => selectIsSignedOut(now) || selectLiveToken(now) !== undefined;
  return selectLiveToken(await waitFor(session, isDecided, until(signal, deadline?.())));
}

type Snapshot = ReturnType<Session["getSnapshot"]>;

/** Combines the signals that end a wait. */
function until(...signals: (AbortSignal | undefined)[]): { signal?: AbortSignal } {
  const given = signals.filter((signal) => signal !== undefined);
  return given.length === 0 ? {} : { signal: AbortSignal.any(given) };
}

/**
 * The session's tokens for calls to the API.
 * @param open returns the current session
 * @param isBackground no page makes these calls; a visitors' page stays when one is refused
 */
export function createTokenSource(
  open: () => Session,
  deadline: Deadline = () => AbortSignal.timeout(longestWaitMs),
  isBackground = false,
): TokenSource {
  /** @throws ApiError `network` when it takes too long */
  const inTime = async <T>(work: (deadline: Deadline) => Promise<T>): Promise<T> => {
    let limit: AbortSignal | undefined;
    try {
      return await work(() => (limit = deadline()));
    } catch (error) {
      if (limit?.aborted && error === limit.reason) throw new ApiError(0, "network", undefined, { cause: error });
      throw error;
    }
  };
  return {
    live: async (signal) => {
      const session = open();
      const asker = selectUserId(session.getSnapshot());
      const token = await inTime((deadline) => whenDecided(session, { signal, deadline }));
      if (token === undefined || asker === null) return token;
      return checkedFor(asker, token);
    },
    held: () => selectToken(open().getSnapshot()),
    renewed: async (refused, signal) => {
      const session = open();
      session.send({ type: "unauthorized.answered", refused, isBackground });
      const isSettled = (now: Snapshot) => !selectIsRefreshing(now);
      const settled = await inTime((deadline) => waitFor(session, isSettled, until(signal, deadline())));
      if (selectIsWaitingForNetwork(settled)) throw new ApiError(0, "network");
      const token = selectLiveToken(settled);
      if (token === undefined || token === refused) throw new ApiError(401, "unauthorized");
      return checkedFor(readToken(refused).userId, token);
    },
  };
}

/** Prevents a request of one user from using the token of another who has signed in meanwhile. @throws ApiError 401 */
function checkedFor(asker: string, token: string): string {
  if (readToken(token).userId !== asker) throw new ApiError(401, "unauthorized", "Somebody else is signed in.");
  return token;
}

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

/**
 * Waits until it is clear whether somebody is signed in.
 * @param timeout ms; default: none
 * @returns a valid token; undefined when nobody is signed in
 */
export async function whenDecided(
  session: Session,
  { signal, timeout = Number.POSITIVE_INFINITY }: { signal?: AbortSignal | undefined; timeout?: number } = {},
): Promise<string | undefined> {
  signal?.throwIfAborted();
  session.send({ type: "session.reliedOn" });
  const token = selectLiveToken(session.getSnapshot());
  if (token !== undefined) return token;
  // It may have expired while the computer slept, before any timer fired.
  session.send({ type: "page.resumed" });
  if (selectIsExpired(session.getSnapshot())) session.send({ type: "refresh.requested" });
  const decided = await waitFor(session, (now) => selectIsSignedOut(now) || selectLiveToken(now) !== undefined, {
    timeout,
    ...(signal && { signal }),
  });
  return selectLiveToken(decided);
}

/** The session's tokens for calls to the API. @param open returns the current session */
export function createTokenSource(open: () => Session): TokenSource {
  return {
    live: async (signal) => {
      const session = open();
      const asker = selectUserId(session.getSnapshot());
      const token = await whenDecided(session, { signal });
      if (token === undefined || asker === null) return token;
      return checkedFor(asker, token);
    },
    held: () => selectToken(open().getSnapshot()),
    renewed: async (refused, signal) => {
      const session = open();
      session.send({ type: "unauthorized.answered", refused });
      const settled = await waitFor(session, (now) => !selectIsRefreshing(now), signal && { signal });
      if (selectIsWaitingForNetwork(settled)) throw new ApiError(0, "network");
      const token = selectLiveToken(settled);
      if (token === undefined || token === refused) throw new ApiError(401, "unauthorized");
      return checkedFor(readToken(refused).userId, token);
    },
  };
}

/** A request of one person must not use the token of another who has signed in meanwhile. @throws ApiError 401 */
function checkedFor(asker: string, token: string): string {
  if (readToken(token).userId !== asker) throw new ApiError(401, "unauthorized", "Somebody else is signed in.");
  return token;
}

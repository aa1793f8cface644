/** Where somebody comes back to from another provider's pages (SPEC.md section 2). */
export const callbackPath = "/auth/google/callback";

/** The query parameters of the callback. */
export interface OAuthCallback {
  token: string | null;
  /** Sent by our own server instead of a token: valid once, and only in this browser. */
  code: string | null;
  /** The server's code of a failure. */
  error: string | null;
}

/**
 * Takes what a federated sign-in has brought back out of the address. Runs before anything else of the page does: nothing of it ever
 * sees the token, and the browser's history does not keep it.
 */
export function takeOAuthCallback(
  place: Pick<Location, "href">,
  history: Pick<History, "state" | "replaceState">,
): OAuthCallback | undefined {
  const url = new URL(place.href);
  if (url.pathname.replace(/\/+$/, "") !== callbackPath) return undefined;
  const take = (name: string) => {
    const value = url.searchParams.get(name);
    url.searchParams.delete(name);
    return value;
  };
  const callback = { token: take("token"), code: take("code"), error: take("error") };
  history.replaceState(history.state, "", url.pathname + url.search + url.hash);
  return callback;
}

let waiting: OAuthCallback | undefined;

/** Keeps the callback that this page load begins with for whoever claims it. */
export function keepOAuthCallback(): void {
  waiting = takeOAuthCallback(location, history);
}

/** The callback that this page load began with; only the first caller gets it. */
export function claimOAuthCallback(): OAuthCallback {
  const callback = waiting ?? { token: null, code: null, error: null };
  waiting = undefined;
  return callback;
}

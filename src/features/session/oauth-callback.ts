/** The path of the OAuth callback (SPEC.md section 2). */
export const callbackPath = "/auth/google/callback";

/** The query parameters of the callback. */
export interface OAuthCallback {
  token: string | null;
  /** A one-time code that our own server sends instead of a token. Bound to this browser. */
  code: string | null;
  /** The server's error code. */
  error: string | null;
}

/**
 * Removes the OAuth callback's parameters from the address. Must run before all other code of the page, so that no
 * other code sees the token and the browser's history does not keep it.
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

/** Stores the callback of this page load until it is claimed. */
export function keepOAuthCallback(): void {
  waiting = takeOAuthCallback(location, history);
}

/** Returns the callback of this page load to the first caller only. */
export function claimOAuthCallback(): OAuthCallback {
  const callback = waiting ?? { token: null, code: null, error: null };
  waiting = undefined;
  return callback;
}

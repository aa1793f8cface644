/** Where somebody comes back to from another provider's pages (SPEC.md section 2). */
export const callbackPath = "/auth/google/callback";

/** What the address says there. */
export interface Arrival {
  token: string | null;
  /** The server's code of a failure. */
  error: string | null;
}

/**
 * Takes what a federated sign-in has brought back out of the address. Runs before anything else of the page does: nothing of it ever
 * sees the token, and the browser's history does not keep it.
 */
export function takeArrival(
  place: Pick<Location, "href">,
  history: Pick<History, "state" | "replaceState">,
): Arrival | undefined {
  const url = new URL(place.href);
  if (url.pathname.replace(/\/+$/, "") !== callbackPath) return undefined;
  const arrival = { token: url.searchParams.get("token"), error: url.searchParams.get("error") };
  url.searchParams.delete("token");
  url.searchParams.delete("error");
  history.replaceState(history.state, "", url.pathname + url.search + url.hash);
  return arrival;
}

let waiting = typeof document === "undefined" ? undefined : takeArrival(location, history);

/** What this visit began with; whoever asks first gets it. */
export function claimArrival(): Arrival {
  const arrival = waiting ?? { token: null, error: null };
  waiting = undefined;
  return arrival;
}

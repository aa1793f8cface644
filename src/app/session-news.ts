import type { EndReason } from "../../machines/session-setup.ts";
import { forceLogoutEvent, type Session } from "./create-session.ts";
import { pageRouter } from "./page-router.ts";
import { redirectTarget } from "./redirect-target.ts";
import { toast } from "./toasts.ts";
import { hasStoredToken } from "./token-hint.ts";

/** Turns what the session tells into navigation and messages (SPEC.md section 4: "Logout", "Session expiry", "Forced logout"). */
export function followSession(session: Session): void {
  session.on("session.started", ({ origin }) => {
    const router = pageRouter();
    // What the one before has seen is not shown to the next one while theirs loads.
    router.clearCache();
    if (origin === "signIn") router.history.replace(redirectTarget.take());
    // Signed in in another tab: the guards decide anew what this one shows.
    else void router.invalidate({ forcePending: true });
  });
  session.on("session.ended", ({ reason }) => endVisit(reason));
  session.on("logout.forced", () => {
    console.warn("The session could not be renewed three times in a row: it is ended.");
    window.dispatchEvent(new Event(forceLogoutEvent));
  });
}

/** Leaves the pages that need a session; the visitors' pages stay. */
function endVisit(reason: EndReason): void {
  const router = pageRouter();
  // The page that is wanted: while it loads, the one that is shown may be another, or none.
  const onAppPage = router.matchRoutes(router.latestLocation).some((match) => match.routeId.startsWith("/_signedIn"));
  if (reason === "signedOut") {
    redirectTarget.forget();
    toast(hasStoredToken() ? { kind: "error", key: "toast.signOutFailed" } : { kind: "success", key: "toast.signedOut" });
  } else if (onAppPage) toast({ kind: "error", key: "toast.sessionExpired" });
  if (!onAppPage) return;
  // Who left on purpose, here or in another tab, is not led back: the next person may be somebody else.
  if (reason === "signedOut" || reason === "elsewhere") void router.navigate({ to: "/signin" });
  // The guard remembers where the person was and leads to /signin.
  else void router.invalidate();
}

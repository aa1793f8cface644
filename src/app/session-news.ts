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
    if (origin === "signIn") router.history.replace(redirectTarget.take());
    // Signed in in another tab: the guards decide anew what this one shows.
    else void router.invalidate();
  });
  session.on("session.ended", ({ reason }) => endVisit(reason));
  session.on("logout.forced", () => window.dispatchEvent(new Event(forceLogoutEvent)));
}

/** Leaves the pages that need a session; the visitors' pages stay. */
function endVisit(reason: EndReason): void {
  const router = pageRouter();
  const onAppPage = router.state.matches.some((match) => match.routeId.startsWith("/_signedIn"));
  if (reason === "signedOut") {
    redirectTarget.forget();
    toast(hasStoredToken() ? { kind: "error", key: "toast.signOutFailed" } : { kind: "success", key: "toast.signedOut" });
    if (onAppPage) void router.navigate({ to: "/signin" });
    return;
  }
  if (!onAppPage) return;
  toast({ kind: "error", key: "toast.sessionExpired" });
  // The guard remembers where the person was and leads to /signin.
  void router.invalidate();
}

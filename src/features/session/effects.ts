import { selectIsUnanswered } from "#machines/session/machine.ts";
import type { EndReason } from "#machines/session/setup.ts";
import { loadingToast } from "#src/browser/loading-toast.ts";
import { pageRouter } from "#src/browser/page-router.ts";
import { type LoadingToast, type Toast, toast } from "#src/browser/toasts.ts";
import type { Session } from "./create-session.ts";
import { forceLogoutEvent } from "./early-events.ts";
import { redirectTarget } from "./redirect-target.ts";
import { hasStoredToken } from "./token-hint.ts";

/** Turns what the session emits into navigation and messages (SPEC.md section 4: "Logout", "Session expiry", "Forced logout"). */
export function followSession(session: Session): void {
  session.on("session.started", ({ origin }) => {
    const router = pageRouter();
    // The previous person's data must not be shown while the next person's loads.
    router.clearCache();
    if (origin === "signIn") router.history.replace(redirectTarget.take());
    // Signed in in another tab: the route guards run again for this one.
    else void router.invalidate({ forcePending: true });
  });
  let leaving: LoadingToast | undefined;
  session.on("signOut.delayed", () => {
    leaving = loadingToast({ key: "toast.signingOut" });
  });
  session.on("session.ended", ({ reason }) => {
    const isUnanswered = reason === "expired" && selectIsUnanswered(session.getSnapshot());
    endVisit(reason, (message) => {
      if (isUnanswered) toast({ kind: "error", key: "toast.authCheckFailed" });
      if (leaving === undefined) toast(message);
      else leaving.settle(message);
      leaving = undefined;
    });
    leaving?.dismiss();
    leaving = undefined;
  });
  session.on("logout.forced", () => {
    console.warn("The session could not be renewed three times in a row: it is ended.");
    window.dispatchEvent(new Event(forceLogoutEvent));
  });
}

/** The routes on which a refused call does not redirect (SPEC.md section 4, "Unauthorised answers"). */
const signInRoutes: ReadonlySet<string> = new Set(["/_public/signin", "/_public/signup"]);

/** Leaves the pages that need a session; a visitors' page stays, unless a call from it was refused. */
function endVisit(reason: EndReason, tell: (message: Toast) => void): void {
  const router = pageRouter();
  // The target of the navigation: while it loads, another page is shown, or none.
  const matches = router.matchRoutes(router.latestLocation);
  const onAppPage = matches.some((match) => match.routeId.startsWith("/_signedIn"));
  const isLed = reason === "refused" && !matches.some((match) => signInRoutes.has(match.routeId));
  if (reason === "signedOut") {
    redirectTarget.forget();
    tell(hasStoredToken() ? { kind: "error", key: "toast.signOutFailed" } : { kind: "success", key: "toast.signedOut" });
  } else if (onAppPage || isLed) tell({ kind: "error", key: "toast.sessionExpired" });
  // The guard remembers where the person was and leads to /signin.
  if (onAppPage && reason !== "signedOut" && reason !== "elsewhere") return void router.invalidate();
  if (isLed) redirectTarget.remember(router.latestLocation.href);
  // After a sign-out, here or in another tab, the path is not remembered: the next person may be somebody else.
  if (onAppPage || isLed) void router.navigate({ to: "/signin" });
}

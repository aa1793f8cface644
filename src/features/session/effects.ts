import type { EndReason } from "#machines/session/events.ts";
import { selectIsUnanswered, selectUserId } from "#machines/session/selectors.ts";
import { loadingToast } from "#src/browser/loading-toast.ts";
import { pageRouter } from "#src/browser/page-router.ts";
import { dropPersonalCaches } from "#src/browser/personal-cache.ts";
import { type LoadingToast, type Toast, toast } from "#src/browser/toasts.ts";
import type { Session } from "./create-session.ts";
import { forceLogoutEvent } from "./early-events.ts";
import { type RedirectTarget, redirectTarget } from "./redirect-target.ts";
import { hasStoredToken } from "./token-hint.ts";

/** The part of the router's API that is used here. */
interface SessionRouter {
  clearCache(): void;
  history: { replace(path: string): void };
  /** The target page. */
  latestLocation: { href: string };
  /** The routes of that page, the outermost first. */
  wantedRoutes(): readonly string[];
  /** Whether no navigation is running. */
  isIdle(): boolean;
  /** Runs the guards again. */
  invalidate(options?: { forcePending: boolean }): void;
  toSignIn(): void;
}

export interface EffectsEnvironment {
  router(): SessionRouter;
  target: Omit<RedirectTarget, "rememberPlan">;
  toast(message: Toast): void;
}

/** The page's router, with that API. */
function sessionRouter(): SessionRouter {
  const router = pageRouter();
  return {
    clearCache: () => router.clearCache(),
    history: router.history,
    latestLocation: router.latestLocation,
    wantedRoutes: () => router.matchRoutes(router.latestLocation).map(({ routeId }) => routeId),
    isIdle: () => router.state.status === "idle",
    invalidate: (options) => void router.invalidate(options),
    toSignIn: () => void router.navigate({ to: "/signin" }),
  };
}

const pageEnvironment: EffectsEnvironment = { router: sessionRouter, target: redirectTarget, toast };

/**
 * Turns the session's events into navigation and messages (SPEC.md section 4: "Logout", "Session expiry", "Forced
 * logout").
 */
export function followSession(session: Session, environment: EffectsEnvironment = pageEnvironment): void {
  const { target, toast } = environment;
  session.on("session.started", ({ origin }) => {
    const router = environment.router();
    // Clears the previous user's data, so that it is not visible while the next user's loads.
    router.clearCache();
    void dropPersonalCaches(selectUserId(session.getSnapshot()));
    if (origin === "signIn") router.history.replace(target.take());
    // The user signed in in another tab, so the guards run again.
    else router.invalidate({ forcePending: true });
  });
  session.on("rights.read", ({ areLost }) => {
    if (!areLost) return;
    const router = environment.router();
    // The guard of a running navigation already knows.
    if (router.isIdle() && router.wantedRoutes().some((route) => route.startsWith("/_signedIn/_admin"))) router.invalidate();
  });
  let leaving: LoadingToast | undefined;
  session.on("signOut.delayed", () => {
    leaving = loadingToast({ key: "toast.signingOut" });
  });
  session.on("session.ended", ({ reason }) => {
    const isUnanswered = reason === "expired" && selectIsUnanswered(session.getSnapshot());
    endVisit(environment, reason, (message) => {
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
const signInRoutes: ReadonlySet<string> = new Set(["/_public/signin", "/_public/signup", "/_public/second-step"]);

/** Leaves pages that need a session. A visitors' page stays, unless the server refused one of its calls. */
function endVisit({ target, ...environment }: EffectsEnvironment, reason: EndReason, show: (message: Toast) => void): void {
  const router = environment.router();
  // The navigation's target, because while it loads another page is visible, or none.
  const wanted = router.wantedRoutes();
  const onAppPage = wanted.some((route) => route.startsWith("/_signedIn"));
  const isLed = reason === "refused" && !wanted.some((route) => signInRoutes.has(route));
  if (reason === "signedOut") {
    target.clear();
    show(hasStoredToken() ? { kind: "error", key: "toast.signOutFailed" } : { kind: "success", key: "toast.signedOut" });
  } else if (onAppPage || isLed) show({ kind: "error", key: "toast.sessionExpired" });
  // The guard remembers the current path and redirects to /signin.
  if (onAppPage && reason !== "signedOut" && reason !== "elsewhere") {
    router.invalidate();
    return;
  }
  if (isLed) target.remember(router.latestLocation.href);
  // After a sign-out, here or in another tab, the path is not remembered, because the next user may be a different
  // person.
  if (onAppPage || isLed) router.toSignIn();
}

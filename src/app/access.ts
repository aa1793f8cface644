import { redirect } from "@tanstack/react-router";
import { type Actor, createActor, fromPromise, toPromise, waitFor } from "xstate";
import { accessMachine, type Need, selectStage } from "../../machines/access.ts";
import { selectIsProfileMissing, selectUser } from "../../machines/session.ts";
import type { UserProfile } from "../api/contract/index.ts";
import { accessStage, isChecking } from "./access-stage.ts";
import { isSignedIn } from "./guard.ts";
import { inspected } from "./inspection.ts";
import { defaultTarget, redirectTarget } from "./redirect-target.ts";
import { session } from "./session.ts";
import { isPremium } from "./subscription.ts";
import { toast } from "./toasts.ts";

const machine = accessMachine.provide({
  actors: {
    authenticate: fromPromise<boolean>(({ signal }) => isSignedIn(signal)),
    loadProfile: fromPromise<Pick<UserProfile, "isSuperUser">>(({ signal }) => profile(signal)),
    checkSubscription: fromPromise<{ premium: boolean }>(async ({ signal }) => ({ premium: await isPremium(signal) })),
  },
});

/** @throws Error when the server could not tell, or nobody is signed in any more */
async function profile(signal: AbortSignal): Promise<UserProfile> {
  if (selectUser(session.getSnapshot()) === null) session.send({ type: "profile.requested" });
  const known = await waitFor(session, (now) => selectUser(now) !== null || selectIsProfileMissing(now), { signal });
  const user = selectUser(known);
  if (user === null) throw new Error("The profile could not be loaded");
  return user;
}

export interface Visit {
  need: Need;
  /** The path with its query that was asked for. */
  href: string;
  /** A link is only pointed at: nothing is remembered, nothing is said. */
  preload: boolean;
  signal: AbortSignal;
}

/** The guard of the latest navigation. */
let latest: Actor<typeof machine> | undefined;

/**
 * Lets a navigation through, or sends it elsewhere (SPEC.md section 2, "Route guard"; section 5).
 * @throws the router's redirect
 */
export async function requireAccess({ need, href, preload, signal }: Visit): Promise<void> {
  const isDashboard = href.split(/[?#]/)[0] === defaultTarget;
  const actor: Actor<typeof machine> = createActor(machine, { ...inspected(), input: { need, isDashboard } });
  const following = preload ? undefined : actor.subscribe((snapshot) => accessStage.set(selectStage(snapshot)));
  if (!preload) {
    latest = actor;
    isChecking.set(true);
  }
  const stop = () => actor.stop();
  signal.addEventListener("abort", stop, { once: true });
  try {
    const verdict = await toPromise(actor.start());
    signal.throwIfAborted();
    if (verdict.granted) {
      if (verdict.warning !== null && !preload) toast({ kind: "error", key: verdict.warning });
      return;
    }
    const { to, toast: key } = verdict.denial;
    if (!preload && to === "/signin") redirectTarget.remember(href);
    if (!preload && key !== null) toast({ kind: "error", key });
    throw redirect({ to, replace: true });
  } finally {
    following?.unsubscribe();
    if (latest === actor) isChecking.set(false);
    signal.removeEventListener("abort", stop);
  }
}

import { redirect } from "@tanstack/react-router";
import { type ComponentType, createElement } from "react";
import { type Actor, createActor, fromPromise, toPromise, waitFor } from "xstate";
import type { UserProfile } from "#contract/index.ts";
import { type AccessEvent, accessMachine, type Need, selectIsSlow, selectStage } from "#machines/session/access.ts";
import { selectIsConfirmed, selectIsProfileMissing, selectIsRereading, selectUser } from "#machines/session/selectors.ts";
import { inspected } from "#src/browser/inspection.ts";
import { toast } from "#src/browser/toasts.ts";
import { accessCheck } from "./access-stage.ts";
import { openSession } from "./actor.ts";
import { isSignedIn } from "./guard.ts";
import { defaultTarget, redirectTarget } from "./redirect-target.ts";

/** What the guard needs from other features. */
export interface AccessEnvironment {
  /** @throws Error when the server could not answer */
  isPremium(signal: AbortSignal): Promise<boolean>;
  /** Whether the user has stored data that needed a subscription. @throws Error when the server could not answer */
  hasStored(signal: AbortSignal): Promise<boolean>;
  /** Retries the requests that the server could not answer. */
  refetchSubscription(): void;
  /** Offers actions when the guard takes long. */
  SlowNotice: ComponentType<{ send(event: AccessEvent): void }>;
}

export interface Visit {
  need: Need;
  /** The requested path with its query. */
  href: string;
  /** Whether the link is only preloaded. Then nothing is remembered or shown. */
  preload: boolean;
  signal: AbortSignal;
}

export interface Access {
  /**
   * Allows a navigation, or redirects it (SPEC.md section 2, "Route guard"; section 5).
   * @throws the router's redirect
   */
  requireAccess(visit: Visit): Promise<void>;
}

/** @throws Error when the server could not answer, or nobody is signed in any more */
async function profile(signal: AbortSignal): Promise<UserProfile> {
  const session = openSession();
  if (selectUser(session.getSnapshot()) === null) session.send({ type: "profile.requested" });
  const known = await waitFor(session, (now) => selectUser(now) !== null || selectIsProfileMissing(now), { signal });
  const user = selectUser(known);
  if (user === null) throw new Error("The profile could not be loaded");
  return user;
}

/**
 * The profile as confirmed by the server, once for each page load, because the persisted one may be outdated.
 * @throws Error when the server could not answer, or nobody is signed in any more
 */
async function verifiedProfile(signal: AbortSignal): Promise<UserProfile> {
  const session = openSession();
  const now = session.getSnapshot();
  // The user may just have turned on two-step sign-in, so the known profile must not turn them away.
  if (selectIsConfirmed(now) && selectUser(now)?.lacksSecondFactor === true) session.send({ type: "profile.outdated" });
  else if (!selectIsConfirmed(now)) session.send({ type: "profile.requested" });
  const read = await waitFor(session, (later) => !selectIsRereading(later), { signal });
  const user = selectUser(read);
  if (user === null || !selectIsConfirmed(read)) throw new Error("The profile could not be loaded");
  return user;
}

function provideAccess({ isPremium, hasStored, refetchSubscription }: AccessEnvironment) {
  return accessMachine.provide({
    actors: {
      authenticate: fromPromise(({ signal }) => isSignedIn(signal)),
      loadProfile: fromPromise(({ signal }) => profile(signal)),
      verifyPermissions: fromPromise(({ signal }) => verifiedProfile(signal)),
      checkSubscription: fromPromise(async ({ signal }) => ({ premium: await isPremium(signal) })),
      checkStored: fromPromise(async ({ signal }) => ({ stored: await hasStored(signal) })),
    },
    actions: {
      retryRequests: () => {
        openSession().send({ type: "retry.requested" });
        refetchSubscription();
      },
    },
  });
}

type Guard = Actor<ReturnType<typeof provideAccess>>;

/** The guard of the signed-in pages. */
export function createAccess(environment: AccessEnvironment): Access {
  const machine = provideAccess(environment);
  /** The guard of the most recent navigation. */
  let latest: Guard | undefined;

  /** Makes the pending screen show this guard. @returns a function that ends it */
  const show = (actor: Guard): (() => void) => {
    latest = actor;
    accessCheck.set({ ...accessCheck.get(), isRunning: true });
    const notice = createElement(environment.SlowNotice, { send: (event) => actor.send(event) });
    const following = actor.subscribe((snapshot) => {
      // A decision sets no stage, so the loading page keeps the last one.
      if (snapshot.status !== "active") return;
      accessCheck.set({ stage: selectStage(snapshot), slow: selectIsSlow(snapshot) ? notice : null, isRunning: true });
    });
    return () => {
      following.unsubscribe();
      if (latest !== actor) return;
      accessCheck.set({ stage: accessCheck.get().stage, isRunning: false });
    };
  };

  return {
    requireAccess: async ({ need, href, preload, signal }) => {
      const isDashboard = href.split(/[?#]/)[0] === defaultTarget;
      const actor: Guard = createActor(machine, { ...inspected(), input: { need, isDashboard } });
      const hide = preload ? undefined : show(actor);
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
        throw redirect({
          to,
          replace: true,
          ...(to === "/settings" && { hash: "second-factor" }),
          // The subscription gate protects only the encrypted audio.
          ...(key === "toast.subscriptionNeeded" && { state: { isVaultLocked: true } }),
        });
      } finally {
        hide?.();
        signal.removeEventListener("abort", stop);
      }
    },
  };
}

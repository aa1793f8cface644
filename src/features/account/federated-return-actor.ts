import { pageRouter } from "#src/browser/page-router.ts";
import { toast } from "#src/browser/toasts.ts";
import { authApi, beginSession, openSession } from "#src/features/session/actor.ts";
import { createFederatedReturn, type FederatedReturn } from "#src/features/session/create-federated-return.ts";
import { claimOAuthCallback } from "#src/features/session/oauth-callback.ts";
import type { Linking } from "./linking.ts";

/** The callback page shows either the outcome or the password form that links two accounts. */
export type Returning =
  | { kind: "ended"; actor: FederatedReturn }
  | { kind: "linking"; linking: Linking }
  /** The provider confirmed the user, but the account also needs a code, which another page asks for. */
  | { kind: "secondStep" };

let open: Promise<Returning> | undefined;

const environment = {
  exchange: authApi.exchange,
  loadProfile: authApi.profileOf,
  askByCookie: authApi.askByCookie,
  pending: authApi.pendingLink,
  link: authApi.link,
  begin: beginSession,
  askForCode: () => void pageRouter().navigate({ to: "/second-step", replace: true }),
  welcome: () => toast({ kind: "success", key: "toast.signedIn" }),
};

async function begin(): Promise<Returning> {
  const callback = claimOAuthCallback();
  if (callback.error === "secondFactorRequired") return { kind: "secondStep" };
  if (callback.error !== "linkRequired") return { kind: "ended", actor: createFederatedReturn(callback, environment) };
  const { createLinking } = await import("./linking.ts");
  return { kind: "linking", linking: createLinking(environment) };
}

/** Opens the callback page's actor. Returns the same one until the user leaves the page. */
export function openReturn(): Promise<Returning> {
  openSession();
  open ??= begin();
  return open;
}

/** Aborts a pending call. */
export async function closeReturn(): Promise<void> {
  const left = open;
  open = undefined;
  const returning = await left;
  if (returning?.kind === "ended") returning.actor.stop();
  if (returning?.kind === "linking") returning.linking.stop();
}

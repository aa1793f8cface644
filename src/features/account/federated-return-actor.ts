import { pageRouter } from "#src/browser/page-router.ts";
import { toast } from "#src/browser/toasts.ts";
import { authApi, beginSession, openSession } from "#src/features/session/actor.ts";
import { createFederatedReturn, type FederatedReturn } from "#src/features/session/create-federated-return.ts";
import { claimOAuthCallback } from "#src/features/session/oauth-callback.ts";
import type { Linking } from "./linking.ts";

/** What the callback page shows: the outcome, or the question for the password that links two accounts. */
export type Returning =
  | { kind: "ended"; actor: FederatedReturn }
  | { kind: "linking"; linking: Linking }
  /** The provider was right; the account also asks for a code, on another page. */
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

/** The state of the callback page: the same actor until the page is left. */
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

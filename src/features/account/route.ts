import { lazyRouteComponent, redirect } from "@tanstack/react-router";
import { hasStoredToken } from "#src/features/session/token-hint.ts";
import type { MailForm, MailPageState } from "./mails.ts";

/** How long to wait for the session (ms) before showing the sign-in page anyway. */
const timeoutMs = 5_000;

/**
 * Redirects a signed-in user away from the sign-in and sign-up pages (SPEC.md section 2).
 * @throws the router's redirect
 */
export async function onlyVisitors({ abortController }: { abortController: AbortController }): Promise<void> {
  if (!hasStoredToken()) return;
  const guard = await import("#src/features/session/guard.ts");
  const isKnown = await guard.isSignedIn(abortController.signal, timeoutMs).catch(() => false);
  if (isKnown) throw redirect({ to: "/dashboard", replace: true });
}

/** Creates and disposes of a page's form. Loaded with the page. */
export const forms = () => import("./sign-in-forms.ts");

/** Sign-in with a passkey (features/passkeys). Loaded when a page starts it. */
export const passkeys = () => import("#src/features/passkeys/sign-in-actor.ts");

/** Forms for the renderer (src/rendering.tsx), which never submits them. */
export const blankForms = () => import("./blank-forms.ts");

const mails = () => import("./mails.ts");
// One chunk for all email pages, because they are small and share nearly all of their code.
const component = lazyRouteComponent(() => import("./mail-pages.tsx"), "MailPage");

/**
 * Options of a route that an email links to, or that requests an email.
 * @param name the page's form
 */
export function mailRoute(titleKey: string, name: MailForm) {
  return {
    staticData: { titleKey },
    loader: async ({ location }: { location: { hash: string; pathname: string } }) => ({
      mail: (await mails()).enter(name, location),
    }),
    // Opening another link in the same tab changes only the hash.
    shouldReload: true,
    onLeave: async ({ loaderData }: { loaderData?: { mail: MailPageState } | undefined }) => {
      if (loaderData !== undefined) (await mails()).leave(loaderData.mail);
    },
    component,
  };
}

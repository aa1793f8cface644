import { lazyRouteComponent, redirect } from "@tanstack/react-router";
import { hasStoredToken } from "#src/features/session/token-hint.ts";
import type { MailForm, MailPageState } from "./mails.ts";

/** Milliseconds to wait for the session before the sign-in page is shown anyway. */
const timeoutMs = 5_000;

/** Redirects a signed-in person away from the sign-in and sign-up pages (SPEC.md section 2). @throws the router's redirect */
export async function onlyVisitors({ abortController }: { abortController: AbortController }): Promise<void> {
  if (!hasStoredToken()) return;
  const guard = await import("#src/features/session/guard.ts");
  const isKnown = await guard.isSignedIn(abortController.signal, timeoutMs).catch(() => false);
  if (isKnown) throw redirect({ to: "/dashboard", replace: true });
}

/** Creates and disposes of a page's form: loaded with the page. */
export const forms = () => import("./sign-in-forms.ts");

/** Another way to sign in (features/passkeys): what it needs is loaded where a page begins it. */
export const passkeys = () => import("#src/features/passkeys/sign-in-actor.ts");

/** Forms that nobody can send, for the renderer (src/rendering.tsx). */
export const blankForms = () => import("./blank-forms.ts");

const mails = () => import("./mails.ts");
// One chunk for all email pages: they are small, and share nearly everything.
const component = lazyRouteComponent(() => import("./mail-pages.tsx"), "MailPage");

/** Options of a route that an email links to, or that requests an email. @param name of its form */
export function mailRoute(titleKey: string, name: MailForm) {
  return {
    staticData: { titleKey },
    loader: async ({ location }: { location: { hash: string; pathname: string } }) => ({
      mail: (await mails()).enter(name, location),
    }),
    // Opening another link in the same tab changes nothing but the hash.
    shouldReload: true,
    onLeave: async ({ loaderData }: { loaderData?: { mail: MailPageState } | undefined }) => {
      if (loaderData !== undefined) (await mails()).leave(loaderData.mail);
    },
    component,
  };
}

import { lazyRouteComponent, redirect } from "@tanstack/react-router";
import { hasStoredToken } from "#src/features/session/token-hint.ts";
import type { MailForm, MailPageState } from "./mails.ts";

/** Milliseconds: while it is unclear who is there, nobody waits for long to sign in. */
const timeoutMs = 5_000;

/** Who is signed in has nothing to do on the pages for signing in and up (SPEC.md section 2). @throws the router's redirect */
export async function onlyVisitors({ abortController }: { abortController: AbortController }): Promise<void> {
  if (!hasStoredToken()) return;
  const { isSignedIn } = await import("#src/features/session/guard.ts");
  const isKnown = await isSignedIn(abortController.signal, timeoutMs).catch(() => false);
  if (isKnown) throw redirect({ to: "/dashboard", replace: true });
}

/** What makes a page's form and ends it: loaded with the page. */
export const forms = () => import("./sign-in-forms.ts");

const mails = () => import("./mails.ts");
// One chunk for the pages around mails: they are small, and share nearly everything.
const component = lazyRouteComponent(() => import("./mail-pages.tsx"), "MailPage");

/** The options of a route that a mail's link leads to, or that asks for such a mail. @param name of its form */
export function mailRoute(titleKey: string, name: MailForm) {
  return {
    staticData: { titleKey },
    loader: async ({ location }: { location: { hash: string; pathname: string } }) => ({
      mail: (await mails()).enter(name, location),
    }),
    // Another link that is opened in the same tab changes nothing but the hash.
    shouldReload: true,
    onLeave: async ({ loaderData }: { loaderData?: { mail: MailPageState } | undefined }) => {
      if (loaderData !== undefined) (await mails()).leave(loaderData.mail);
    },
    component,
  };
}

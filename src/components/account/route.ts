import { redirect } from "@tanstack/react-router";
import { hasStoredToken } from "../../app/token-hint.ts";

/** Who is signed in has nothing to do on the pages for signing in and up (SPEC.md section 2). @throws the router's redirect */
export async function onlyVisitors({ abortController }: { abortController: AbortController }): Promise<void> {
  if (!hasStoredToken()) return;
  const { isSignedIn } = await import("../../app/guard.ts");
  if (await isSignedIn(abortController.signal)) throw redirect({ to: "/dashboard", replace: true });
}

/** What makes a page's form and ends it: loaded with the page. */
export const forms = () => import("../../app/account.ts");

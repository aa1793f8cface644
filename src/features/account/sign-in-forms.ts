import { wantedInterval } from "#machines/subscription/rules.ts";
import { pageRouter } from "#src/browser/page-router.ts";
import { noteEntered, noteRegistered } from "#src/browser/try-claim.ts";
import { authApi, beginSession, openSession } from "#src/features/session/actor.ts";
import { openFederated } from "#src/features/session/federated-sign-in.ts";
import { redirectTarget } from "#src/features/session/redirect-target.ts";
import { i18n, loadTexts } from "#src/i18n/index.ts";
import { interfaceLanguageOf } from "#src/i18n/interface-language.ts";
import { type AccountForm, createSignInForm, createSignUpForm } from "./forms.ts";

/** Replaces the history entry, so that Back does not restore the typed values. */
export const askForCode = (): void => void pageRouter().navigate({ to: "/second-step", replace: true });

/** Sends the interface's language, which becomes the language of emails to the new account. */
const signUp: typeof authApi.signUp = async (registration, signal) => {
  const language = interfaceLanguageOf(i18n.language);
  const answer = await authApi.signUp({ ...registration, ...(language && { language }) }, signal);
  noteRegistered(registration.email);
  return answer;
};
const environment = { ...authApi, signUp, begin: beginSession, askForCode };
const makers = { signIn: () => createSignInForm(environment), signUp: () => createSignUpForm(environment) };
type FormName = keyof typeof makers;
const open: Partial<Record<FormName, AccountForm>> = {};

/** Opens the page's form and loads the available providers. Returns the same form until the user leaves the page. */
export function enter(name: FormName): AccountForm {
  // The user may sign in in another tab meanwhile.
  openSession();
  openFederated().send({ type: "provider.requested" });
  open[name] ??= makers[name]();
  return open[name];
}

/**
 * Opens the sign-in page.
 * @param visit `preload`: the router only preloads the page
 */
export function enterSignIn({ preload }: { preload: boolean }): AccountForm {
  if (!preload) noteEntered("signIn");
  return enter("signIn");
}

interface SignUpVisit {
  location: { search: object };
  /** The router only preloads the page. */
  preload: boolean;
}

/** Opens the sign-up page. Its search parameters may name a plan. */
export async function enterFor({ location: { search }, preload }: SignUpVisit): Promise<AccountForm> {
  if (wantedInterval(search) !== undefined) await loadTexts("subscription");
  if (!preload) {
    redirectTarget.rememberPlan(search);
    noteEntered("signUp");
  }
  return enter("signUp");
}

/** Aborts a pending call. */
export function leave(name: FormName): void {
  openFederated().send({ type: "page.left" });
  open[name]?.stop();
  delete open[name];
}

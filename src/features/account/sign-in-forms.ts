import { wantedInterval } from "#machines/subscription/rules.ts";
import { pageRouter } from "#src/browser/page-router.ts";
import { noteEntered, noteRegistered } from "#src/browser/try-claim.ts";
import { authApi, beginSession, openSession } from "#src/features/session/actor.ts";
import { openFederated } from "#src/features/session/federated-sign-in.ts";
import { redirectTarget } from "#src/features/session/redirect-target.ts";
import { i18n, loadTexts } from "#src/i18n/index.ts";
import { interfaceLanguageOf } from "#src/i18n/interface-language.ts";
import { type AccountForm, createSignInForm, createSignUpForm } from "./forms.ts";

/** What was typed is not to come again with the browser's Back. */
export const askForCode = (): void => void pageRouter().navigate({ to: "/second-step", replace: true });

/** The language of emails to a new account. */
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

/** The form of the page that is shown: the same until the page is left. Also loads the available providers. */
export function enter(name: FormName): AccountForm {
  // The person may sign in in another tab meanwhile.
  openSession();
  openFederated().send({ type: "provider.requested" });
  open[name] ??= makers[name]();
  return open[name];
}

/** The sign-in page. @param visit `preload`: the page is not opened yet */
export function enterSignIn({ preload }: { preload: boolean }): AccountForm {
  if (!preload) noteEntered("signIn");
  return enter("signIn");
}

interface SignUpVisit {
  location: { search: object };
  /** The page is not opened yet. */
  preload: boolean;
}

/** The sign-up page, which may be opened for a plan. */
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

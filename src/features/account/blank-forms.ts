import { wantedInterval } from "#machines/subscription/rules.ts";
import { loadTexts } from "#src/i18n/index.ts";
import { type AccountForm, createSignInForm, createSignUpForm } from "./forms.ts";

/** The renderer's forms are never submitted. */
const nobody = () => Promise.reject(new Error("There is nobody to send this."));
const environment = { signIn: nobody, signUp: nobody, begin: () => {}, askForCode: () => {} };

/** An empty sign-in form for the renderer. */
export const signIn = (): AccountForm => createSignInForm(environment);

/**
 * An empty sign-up form for the renderer.
 * @param search the search parameters of the page, which may name a plan
 */
export async function signUp(search: object): Promise<AccountForm> {
  if (wantedInterval(search) !== undefined) await loadTexts("subscription");
  return createSignUpForm(environment);
}

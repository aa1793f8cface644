import { wantedInterval } from "#machines/subscription/rules.ts";
import { loadTexts } from "#src/i18n/index.ts";
import { type AccountForm, createSignInForm, createSignUpForm } from "./forms.ts";

/** The renderer's: what it renders is never sent from there. */
const nobody = () => Promise.reject(new Error("There is nobody to send this."));
const environment = { signIn: nobody, signUp: nobody, begin: () => {}, askForCode: () => {} };

/** The sign-in form as it is before anything is typed. */
export const signIn = (): AccountForm => createSignInForm(environment);

/** The same of the sign-up form. @param search of the page's address, which may name a plan */
export async function signUp(search: object): Promise<AccountForm> {
  if (wantedInterval(search) !== undefined) await loadTexts("subscription");
  return createSignUpForm(environment);
}

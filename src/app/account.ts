import { type AccountForm, createSignInForm, createSignUpForm } from "./account-forms.ts";
import { beginSession, entrance } from "./session.ts";

const world = { ...entrance, begin: beginSession };
const makers = { signIn: () => createSignInForm(world), signUp: () => createSignUpForm(world) };
type FormName = keyof typeof makers;
const open: Partial<Record<FormName, AccountForm>> = {};

/** The form of the page that is shown: the same one until the page is left. */
export function openForm(name: FormName): AccountForm {
  open[name] ??= makers[name]();
  return open[name];
}

/** A call that is under way is called off. */
export function closeForm(name: FormName): void {
  open[name]?.stop();
  delete open[name];
}

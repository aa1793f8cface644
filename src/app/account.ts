import { type AccountForm, createSignInForm, createSignUpForm } from "./account-forms.ts";
import { federated } from "./federated.ts";
import { beginSession, entrance } from "./session.ts";

const world = { ...entrance, begin: beginSession };
const makers = { signIn: () => createSignInForm(world), signUp: () => createSignUpForm(world) };
type FormName = keyof typeof makers;
const open: Partial<Record<FormName, AccountForm>> = {};

/** The form of the page that is shown: the same one until the page is left. What else there is to sign in with is asked for. */
export function enter(name: FormName): AccountForm {
  federated.send({ type: "provider.wanted" });
  open[name] ??= makers[name]();
  return open[name];
}

/** A call that is under way is called off. */
export function leave(name: FormName): void {
  federated.send({ type: "page.left" });
  open[name]?.stop();
  delete open[name];
}

import { createAccountApi } from "../api/account.ts";
import { createCall } from "../api/http.ts";
import { i18n } from "../i18n/index.ts";
import type { AccountForm } from "./account-forms.ts";
import { createConfirmForm, createForgotForm, createResendForm, createResetForm } from "./account-mail-forms.ts";
import { plainSend } from "./session.ts";

const world = { ...createAccountApi(createCall(plainSend)), language: () => i18n.language };
const makers = {
  forgot: () => createForgotForm(world),
  resend: () => createResendForm(world),
  reset: (token: string) => createResetForm(world, token),
  confirm: (token: string) => createConfirmForm(world, token),
};
export type MailForm = keyof typeof makers;

/** What a page around mails shows. */
export interface MailPageState {
  name: MailForm;
  /** Of the mail's link; "" without one. */
  token: string;
  /** The page tells that the address is confirmed, unless there is a link to follow first. */
  confirmed: boolean;
  form: AccountForm;
}

let open: MailPageState | undefined;

/** The page that is shown: the same form until it is left. The token stands in the hash, which no server sees. */
export function enter(name: MailForm, { hash, pathname }: { hash: string; pathname: string }): MailPageState {
  const token = new URLSearchParams(hash).get("token") ?? "";
  if (open?.name === name && open.token === token) return open;
  leave();
  open = { name, token, confirmed: !pathname.includes("verification"), form: makers[name](token) };
  return open;
}

/** A call that is under way is called off. */
export function leave(): void {
  open?.form.stop();
  open = undefined;
}

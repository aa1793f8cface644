import { linkKindOf } from "#contract/index.ts";
import { createAccountApi } from "#src/api/account.ts";
import { createCall } from "#src/api/http.ts";
import { openSession, plainSend } from "#src/features/session/actor.ts";
import { i18n } from "#src/i18n/index.ts";
import type { AccountForm } from "./forms.ts";
import {
  createConfirmForm,
  createForgotForm,
  createProveForm,
  createResendForm,
  createResetForm,
  createStopForm,
} from "./mail-forms.ts";

const environment = { ...createAccountApi(createCall(plainSend)), language: () => i18n.language };
const makers = {
  forgot: () => createForgotForm(environment),
  resend: () => createResendForm(environment),
  reset: (token: string) => createResetForm(environment, token),
  confirm: (token: string) => createConfirmForm(environment, token),
  prove: (token: string) => createProveForm(environment, token),
  stop: (token: string) => createStopForm(environment, token),
};
export type MailForm = keyof typeof makers;

/** The state of a page that belongs to an email. */
export interface MailPageState {
  name: MailForm;
  /** From the email's link; "" without one. */
  token: string;
  /** The page says that the address is confirmed, unless there is a link to follow first. */
  confirmed: boolean;
  form: AccountForm;
}

/** The purpose of a link on the confirmation page. */
const formOf = { plain: "confirm", signup: "prove", stop: "stop" } as const;

/** Hovering a link preloads its page before any navigation, which must not affect the page that is shown. */
const open = new Map<string, MailPageState>();
const keyOf = ({ name, token, confirmed }: Omit<MailPageState, "form">) => `${name} ${confirmed} ${token}`;

/** The page that is shown: the same form until it is left. The token is in the hash, which is never sent to a server. */
export function enter(page: MailForm, { hash, pathname }: { hash: string; pathname: string }): MailPageState {
  // The person may sign in or out in another tab meanwhile.
  openSession();
  const token = new URLSearchParams(hash).get("token") ?? "";
  const name = page === "confirm" ? formOf[linkKindOf(token) ?? "plain"] : page;
  const about = { name, token, confirmed: !pathname.includes("verification") };
  const known = open.get(keyOf(about));
  if (known !== undefined) return known;
  const entered = { ...about, form: makers[name](token) };
  open.set(keyOf(entered), entered);
  return entered;
}

/** Aborts a pending call. */
export function leave(page: MailPageState): void {
  page.form.stop();
  if (open.get(keyOf(page)) === page) open.delete(keyOf(page));
}

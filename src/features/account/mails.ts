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

/** The state of a page for an email's link or request. */
export interface MailPageState {
  name: MailForm;
  /** The token in the email's link; "" without a link. */
  token: string;
  /** The page says that the address is confirmed, unless the user has to follow a link first. */
  confirmed: boolean;
  form: AccountForm;
}

/** The form for each purpose of a confirmation link. */
const formOf = { plain: "confirm", signup: "prove", stop: "stop" } as const;

/** Keyed by page: hovering over a link preloads its page, which must not affect the visible one. */
const open = new Map<string, MailPageState>();
const keyOf = ({ name, token, confirmed }: Omit<MailPageState, "form">) => `${name} ${confirmed} ${token}`;

/**
 * Opens a page. Returns the same form until the user leaves the page. The token is in the URL's hash, so no server
 * receives it.
 */
export function enter(page: MailForm, { hash, pathname }: { hash: string; pathname: string }): MailPageState {
  // The user may sign in or out in another tab meanwhile.
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

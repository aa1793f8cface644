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

const world = { ...createAccountApi(createCall(plainSend)), language: () => i18n.language };
const makers = {
  forgot: () => createForgotForm(world),
  resend: () => createResendForm(world),
  reset: (token: string) => createResetForm(world, token),
  confirm: (token: string) => createConfirmForm(world, token),
  prove: (token: string) => createProveForm(world, token),
  stop: (token: string) => createStopForm(world, token),
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

/** What a link on the confirmation page is for. */
const formOf = { plain: "confirm", signup: "prove", stop: "stop" } as const;

/** A link that is hovered over enters its page before anybody goes there, and the page that is shown must not mind. */
const open = new Map<string, MailPageState>();
const keyOf = ({ name, token, confirmed }: Omit<MailPageState, "form">) => `${name} ${confirmed} ${token}`;

/** The page that is shown: the same form until it is left. The token stands in the hash, which no server sees. */
export function enter(page: MailForm, { hash, pathname }: { hash: string; pathname: string }): MailPageState {
  // Somebody may sign in or out in another tab meanwhile.
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

/** A call that is under way is called off. */
export function leave(page: MailPageState): void {
  page.form.stop();
  if (open.get(keyOf(page)) === page) open.delete(keyOf(page));
}

import { safeParse } from "valibot";
import {
  ConfirmEmail,
  ForgotPassword,
  InterfaceLanguage,
  type MailState,
  ResetPassword,
  StopEmailChange,
} from "#contract/index.ts";
import type { SubmissionResult } from "#machines/submission.ts";
import type { AccountApi } from "#src/api/account.ts";
import { ApiError } from "#src/api/http.ts";
import { checkFields, createForm, passwordError } from "./forms.ts";

/** Dependencies of the email forms. */
export interface MailEnvironment extends AccountApi {
  /** The interface's language, for the email. */
  language(): string;
}

const failed = { key: "account.mailFailed", keyWithStatus: "account.mailFailed" };
/** What is said of a mail, by what becomes of it. @param sent where it is sent */
export const mailKeys = (sent: string): Record<MailState, string> => ({
  sent,
  delayed: "account.mailsDelayed",
  none: "account.mailsNone",
});
const done = (key: string): SubmissionResult => ({ kind: "done", message: { key } });
const refused: SubmissionResult = { kind: "refused", message: { key: "errors.badRequest" } };

/** Requests the email for resetting a password. The caller stops it, as with all of these. */
export function createForgotForm(environment: MailEnvironment) {
  return createAddressForm(environment, environment.forgotPassword, "account.resetSent");
}

/** Requests the confirmation email again. */
export function createResendForm(environment: MailEnvironment) {
  return createAddressForm(environment, environment.resendConfirmation, "account.confirmationSent");
}

/** @param token from the email's link */
export function createResetForm(environment: MailEnvironment, token: string) {
  const check = ({ password }: Readonly<Record<string, string>>) => checkFields({ password: passwordError(password) });
  return createForm({ password: "" }, check, failed, async ({ password }, signal) => {
    const reset = safeParse(ResetPassword, { token, password });
    if (!reset.success) return { kind: "refused", message: { key: "errors.linkInvalid" } };
    await environment.resetPassword(reset.output, signal);
    return done("account.passwordChanged");
  });
}

/** Needs a button press: link scanners of email programs must not use the token up. */
export function createConfirmForm(environment: MailEnvironment, token: string) {
  return createForm(
    {},
    () => ({}),
    failed,
    async (_, signal) => {
      const confirmation = safeParse(ConfirmEmail, { token });
      if (!confirmation.success) return { kind: "refused", message: { key: "errors.linkInvalid" } };
      await environment.confirmEmail(confirmation.output, signal);
      return done("account.emailConfirmed");
    },
  );
}

/** Anybody can register any address: it is proven by its link together with the password that was chosen with it. */
export function createProveForm(environment: MailEnvironment, token: string) {
  const check = ({ password }: Readonly<Record<string, string>>) =>
    checkFields({ password: password ? undefined : "account.passwordRequired" });
  return createForm({ password: "" }, check, failed, async ({ password }, signal) => {
    const confirmation = safeParse(ConfirmEmail, { token, password });
    if (!confirmation.success) return { kind: "refused", message: { key: "errors.wrongPassword" } };
    await environment.confirmEmail(confirmation.output, signal);
    return done("account.emailConfirmed");
  });
}

/** Needs a button press, too: a link scanner must not cancel a change that is wanted. */
export function createStopForm(environment: MailEnvironment, token: string) {
  const tooLate: SubmissionResult = { kind: "refused", message: { key: "account.stopTooLate" } };
  return createForm(
    {},
    () => ({}),
    failed,
    async (_, signal) => {
      const stop = safeParse(StopEmailChange, { token });
      if (!stop.success) return tooLate;
      try {
        await environment.stopEmailChange(stop.output, signal);
      } catch (error) {
        if (error instanceof ApiError && error.code === "linkInvalid") return tooLate;
        throw error;
      }
      return done("account.changeStopped");
    },
  );
}

function createAddressForm(environment: MailEnvironment, send: AccountApi["forgotPassword"], sent: string) {
  const check = ({ email }: Readonly<Record<string, string>>) =>
    checkFields({ email: safeParse(ForgotPassword, { email }).success ? undefined : "account.emailInvalid" });
  return createForm({ email: "" }, check, failed, async ({ email }, signal) => {
    const language = safeParse(InterfaceLanguage, environment.language());
    const request = safeParse(ForgotPassword, { email, ...(language.success && { language: language.output }) });
    if (!request.success) return refused;
    return done(mailKeys(sent)[await send(request.output, signal)]);
  });
}

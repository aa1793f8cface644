import { safeParse } from "valibot";
import { ConfirmEmail, ForgotPassword, type MailState, ResetPassword, StopEmailChange } from "#contract/index.ts";
import type { Values } from "#machines/submission.ts";
import type { AccountApi } from "#src/api/account.ts";
import { ApiError } from "#src/api/http.ts";
import { interfaceLanguageOf } from "#src/i18n/interface-language.ts";
import { checkFields, checkPassword, createButtonForm, createForm, done, passwordError, refused } from "./forms.ts";

/** Dependencies of the email forms. */
export interface MailEnvironment extends AccountApi {
  /** The interface's language, for the email. */
  language(): string;
}

/**
 * The message for each delivery state of an email.
 * @param sent the key for an email that was sent
 */
export const mailKeys = (sent: string): Record<MailState, string> => ({
  sent,
  delayed: "account.mailsDelayed",
  none: "account.mailsNone",
});

/** Requests the email that resets a password. The caller stops this form, and all others in this file. */
export function createForgotForm(environment: MailEnvironment) {
  return createAddressForm(environment, environment.forgotPassword, "account.resetSent");
}

/** Requests the confirmation email again. */
export function createResendForm(environment: MailEnvironment) {
  return createAddressForm(environment, environment.resendConfirmation, "account.confirmationSent");
}

/** @param token from the email's link */
export function createResetForm(environment: MailEnvironment, token: string) {
  const check = ({ password }: Values) => checkFields({ password: passwordError(password) });
  return createForm({ password: "" }, check, async ({ password }, signal) => {
    const reset = safeParse(ResetPassword, { token, password });
    if (!reset.success) return refused("errors.linkInvalid");
    await environment.resetPassword(reset.output, signal);
    return done("account.passwordChanged");
  });
}

/** Needs a button press, so that link scanners of email programs don't use the token up. */
export function createConfirmForm(environment: MailEnvironment, token: string) {
  return createButtonForm(async (signal) => {
    const confirmation = safeParse(ConfirmEmail, { token });
    if (!confirmation.success) return refused("errors.linkInvalid");
    await environment.confirmEmail(confirmation.output, signal);
    return done("account.emailConfirmed");
  });
}

/** Anybody can register any address. The link proves the address only together with the password chosen at sign-up. */
export function createProveForm(environment: MailEnvironment, token: string) {
  return createForm({ password: "" }, checkPassword, async ({ password }, signal) => {
    const confirmation = safeParse(ConfirmEmail, { token, password });
    if (!confirmation.success) return refused("errors.wrongPassword");
    await environment.confirmEmail(confirmation.output, signal);
    return done("account.emailConfirmed");
  });
}

/** Needs a button press, so that a link scanner doesn't cancel a change that the user wants. */
export function createStopForm(environment: MailEnvironment, token: string) {
  const tooLate = refused("account.stopTooLate");
  return createButtonForm(async (signal) => {
    const stop = safeParse(StopEmailChange, { token });
    if (!stop.success) return tooLate;
    try {
      await environment.stopEmailChange(stop.output, signal);
    } catch (error) {
      if (error instanceof ApiError && error.code === "linkInvalid") return tooLate;
      throw error;
    }
    return done("account.changeStopped");
  });
}

function createAddressForm(environment: MailEnvironment, send: AccountApi["forgotPassword"], sent: string) {
  const check = ({ email }: Values) =>
    checkFields({ email: safeParse(ForgotPassword, { email }).success ? undefined : "account.emailInvalid" });
  return createForm({ email: "" }, check, async ({ email }, signal) => {
    const request = safeParse(ForgotPassword, { email, language: interfaceLanguageOf(environment.language()) });
    if (!request.success) return refused("errors.badRequest");
    return done(mailKeys(sent)[await send(request.output, signal)]);
  });
}

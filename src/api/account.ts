import type { InferInput } from "valibot";
import {
  AcceptedProfile,
  type ConfirmEmail,
  type ForgotPassword,
  MessageAnswer,
  type ResetPassword,
  type StopEmailChange,
} from "#contract/index.ts";
import type { Call } from "./http.ts";

/** The account calls without sign-in, to which links in emails lead. All of them throw ApiError. */
export function createAccountApi(call: Call) {
  const post = async (path: string, json: unknown, signal?: AbortSignal): Promise<void> => {
    await call(path, { json, schema: MessageAnswer, signal });
  };
  /** @returns the delivery state of the email; "sent" if the server does not report it */
  const ask = async (path: string, json: unknown, signal?: AbortSignal) =>
    (await call(path, { json, schema: MessageAnswer, signal })).mails ?? "sent";
  return {
    /** The answer does not reveal whether the address has an account. */
    forgotPassword: (json: InferInput<typeof ForgotPassword>, signal?: AbortSignal) => ask("/auth/forgot-password", json, signal),
    resendConfirmation: (json: InferInput<typeof ForgotPassword>, signal?: AbortSignal) =>
      ask("/auth/resend-confirmation", json, signal),
    resetPassword: (json: InferInput<typeof ResetPassword>, signal?: AbortSignal) => post("/auth/reset-password", json, signal),
    /** Cancels the account's pending change of address. */
    stopEmailChange: (json: InferInput<typeof StopEmailChange>, signal?: AbortSignal) =>
      post("/auth/stop-email-change", json, signal),
    confirmEmail: (json: InferInput<typeof ConfirmEmail>, signal?: AbortSignal) => post("/auth/confirm-email", json, signal),
  };
}

export type AccountApi = ReturnType<typeof createAccountApi>;

export function createUsersApi(call: Call) {
  return {
    /** The signed-in user. @throws ApiError */
    me: (signal?: AbortSignal) => call("/users/me", { schema: AcceptedProfile, signal }),
  };
}

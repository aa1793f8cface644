import type { InferInput } from "valibot";
import {
  AcceptedProfile,
  type ConfirmEmail,
  type ForgotPassword,
  type MailState,
  MessageAnswer,
  type ResetPassword,
  type StopEmailChange,
  type UserProfile,
} from "#contract/index.ts";
import type { Call } from "./http.ts";

/** The account calls that need no sign-in: the links in mails lead to them. All of them throw ApiError. */
export function createAccountApi(call: Call) {
  const post = async (path: string, json: unknown, signal?: AbortSignal): Promise<void> => {
    await call(path, { method: "POST", json, schema: MessageAnswer, signal });
  };
  /** @returns what becomes of the mail, if there is one to write: a server that does not say so is taken to send it */
  const ask = async (path: string, json: unknown, signal?: AbortSignal): Promise<MailState> =>
    (await call(path, { method: "POST", json, schema: MessageAnswer, signal })).mails ?? "sent";
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

export interface UsersApi {
  /** The signed-in user. @throws ApiError */
  me(signal?: AbortSignal): Promise<UserProfile>;
}

export function createUsersApi(call: Call): UsersApi {
  return { me: (signal) => call("/users/me", { schema: AcceptedProfile, signal }) };
}

import type { InferInput } from "valibot";
import {
  type ConfirmEmail,
  type ForgotPassword,
  MessageAnswer,
  type ResetPassword,
  type StopEmailChange,
} from "./contract/index.ts";
import type { Call } from "./http.ts";

/** The calls about an account that need no sign-in: what the links in mails lead to. All of them throw ApiError. */
export function createAccountApi(call: Call) {
  const post = async (path: string, json: unknown, signal?: AbortSignal): Promise<void> => {
    await call(path, { method: "POST", json, schema: MessageAnswer, signal });
  };
  return {
    /** The answer does not tell whether the address is known. */
    forgotPassword: (json: InferInput<typeof ForgotPassword>, signal?: AbortSignal) =>
      post("/auth/forgot-password", json, signal),
    resendConfirmation: (json: InferInput<typeof ForgotPassword>, signal?: AbortSignal) =>
      post("/auth/resend-confirmation", json, signal),
    resetPassword: (json: InferInput<typeof ResetPassword>, signal?: AbortSignal) => post("/auth/reset-password", json, signal),
    /** Ends the change of address that an account waits for. */
    stopEmailChange: (json: InferInput<typeof StopEmailChange>, signal?: AbortSignal) =>
      post("/auth/stop-email-change", json, signal),
    confirmEmail: (json: InferInput<typeof ConfirmEmail>, signal?: AbortSignal) => post("/auth/confirm-email", json, signal),
  };
}

export type AccountApi = ReturnType<typeof createAccountApi>;

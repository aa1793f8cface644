import { undefined as nothing, object, optional, string } from "valibot";
import {
  AcceptedProfile,
  PendingSignIn,
  RecoveryCodesAnswer,
  SecondFactor,
  type SecondFactorChange,
  SecondFactorSecret,
} from "#contract/index.ts";
import type { Call } from "./http.ts";

const path = "/users/me/second-factor";
const stepPath = "/auth/second-factor";
const SteppedIn = object({ accessToken: string(), user: optional(AcceptedProfile) });

/** The calls about the second factor of the user's account. All of them throw ApiError. */
export function createSecondFactorApi(call: Call) {
  return {
    load: (signal?: AbortSignal) => call(path, { schema: SecondFactor, signal }),
    /** The only answer that contains the secret. */
    offer: (password: string, signal?: AbortSignal) => call(path, { json: { password }, schema: SecondFactorSecret, signal }),
    /** Ends all other sessions. @returns the recovery codes, only this once */
    confirm: async (code: string, signal?: AbortSignal) =>
      (await call(`${path}/confirmation`, { json: { code }, schema: RecoveryCodesAnswer, signal })).recoveryCodes,
    /** Ends all other sessions. @returns the codes that replace the previous ones */
    renewCodes: async (json: SecondFactorChange, signal?: AbortSignal) =>
      (await call(`${path}/recovery-codes`, { json, schema: RecoveryCodesAnswer, signal })).recoveryCodes,
    /** Ends all other sessions. */
    turnOff: (json: SecondFactorChange, signal?: AbortSignal) =>
      call(path, { method: "DELETE", json, schema: nothing(), signal }),
  };
}

/** The second step of a sign-in. @param call without a token */
export function createSecondStepApi(call: Call) {
  return {
    /** @throws ApiError 410 when no sign-in is pending in this browser */
    pending: (signal?: AbortSignal) => call(stepPath, { schema: PendingSignIn, signal }),
    check: (code: string, signal?: AbortSignal) => call(stepPath, { json: { code }, schema: SteppedIn, signal }),
  };
}

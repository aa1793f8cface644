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

/** The second factor of one's own account. All of it throws ApiError. */
export function createSecondFactorApi(call: Call) {
  return {
    load: (signal?: AbortSignal) => call(path, { schema: SecondFactor, signal }),
    /** The only answer with its secret. */
    offer: (password: string, signal?: AbortSignal) => call(path, { json: { password }, schema: SecondFactorSecret, signal }),
    /** All other sessions end. @returns the recovery codes, this once */
    confirm: async (code: string, signal?: AbortSignal) =>
      (await call(`${path}/confirmation`, { json: { code }, schema: RecoveryCodesAnswer, signal })).recoveryCodes,
    /** All other sessions end. @returns those in the place of the ones before */
    renewCodes: async (json: SecondFactorChange, signal?: AbortSignal) =>
      (await call(`${path}/recovery-codes`, { json, schema: RecoveryCodesAnswer, signal })).recoveryCodes,
    /** All other sessions end. */
    turnOff: (json: SecondFactorChange, signal?: AbortSignal) =>
      call(path, { method: "DELETE", json, schema: nothing(), signal }),
  };
}

/** The second step of signing in. @param call without a token */
export function createSecondStepApi(call: Call) {
  return {
    /** @throws ApiError 410 when no sign-in waits in this browser */
    pending: (signal?: AbortSignal) => call(stepPath, { schema: PendingSignIn, signal }),
    check: (code: string, signal?: AbortSignal) => call(stepPath, { json: { code }, schema: SteppedIn, signal }),
  };
}

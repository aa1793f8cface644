import { undefined as nothing, object, optional, string } from "valibot";
import {
  AcceptedProfile,
  type NewPasskey,
  Passkey,
  PasskeyCreation,
  PasskeyRequest,
  PasskeysAnswer,
  type UsedPasskey,
} from "#contract/index.ts";
import type { Call } from "./http.ts";

const path = "/users/me/passkeys";
const signInPath = "/auth/passkey";
const SignedIn = object({ accessToken: string(), user: optional(AcceptedProfile) });
const own = (id: string) => `${path}/${encodeURIComponent(id)}`;

/** The passkeys of one's own account. All of it throws ApiError. */
export function createPasskeysApi(call: Call) {
  return {
    list: async (signal?: AbortSignal) => (await call(path, { schema: PasskeysAnswer, signal })).passkeys,
    /** What the device is to make, within five minutes. */
    offer: (password: string, signal?: AbortSignal) =>
      call(`${path}/challenge`, { json: { password }, schema: PasskeyCreation, signal }),
    /** All other sessions end. */
    keep: (json: NewPasskey, signal?: AbortSignal) => call(path, { json, schema: Passkey, signal }),
    rename: (id: string, name: string, signal?: AbortSignal) =>
      call(own(id), { method: "PATCH", json: { name }, schema: nothing(), signal }),
    /** All other sessions end. */
    remove: (id: string, password: string, signal?: AbortSignal) =>
      call(own(id), { method: "DELETE", json: { password }, schema: nothing(), signal }),
  };
}

/** Signing in with a passkey. @param call without a token */
export function createPasskeySignInApi(call: Call) {
  return {
    /** What the device is to sign, within five minutes. @throws ApiError `notOffered` where the server knows no passkeys */
    request: (signal?: AbortSignal) => call(`${signInPath}/challenge`, { json: {}, schema: PasskeyRequest, signal }),
    check: (used: UsedPasskey, signal?: AbortSignal) => call(signInPath, { json: { used }, schema: SignedIn, signal }),
  };
}

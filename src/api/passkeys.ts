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

/** The calls about the user's own passkeys. All of them throw ApiError. */
export function createPasskeysApi(call: Call) {
  return {
    list: async (signal?: AbortSignal) => (await call(path, { schema: PasskeysAnswer, signal })).passkeys,
    /** The options with which the device must create a passkey, within five minutes. */
    offer: (password: string, signal?: AbortSignal) =>
      call(`${path}/challenge`, { json: { password }, schema: PasskeyCreation, signal }),
    /** Ends all other sessions. */
    keep: (json: NewPasskey, signal?: AbortSignal) => call(path, { json, schema: Passkey, signal }),
    rename: (id: string, name: string, signal?: AbortSignal) =>
      call(own(id), { method: "PATCH", json: { name }, schema: nothing(), signal }),
    /** Ends all other sessions. */
    remove: (id: string, password: string, signal?: AbortSignal) =>
      call(own(id), { method: "DELETE", json: { password }, schema: nothing(), signal }),
  };
}

/** Sign-in with a passkey. @param call without a token */
export function createPasskeySignInApi(call: Call) {
  return {
    /**
     * The challenge that the device must sign within five minutes.
     * @throws ApiError `notOffered` when the server does not support passkeys
     */
    request: (signal?: AbortSignal) => call(`${signInPath}/challenge`, { json: {}, schema: PasskeyRequest, signal }),
    check: (used: UsedPasskey, signal?: AbortSignal) => call(signInPath, { json: { used }, schema: SignedIn, signal }),
  };
}

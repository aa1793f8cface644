import { type ActorRefFrom, createActor, fromPromise } from "xstate";
import type { PasskeyRequest } from "#contract/index.ts";
import { codeOf } from "#machines/failure.ts";
import { passkeySignInMachine } from "#machines/passkeys/sign-in.ts";
import { createCall } from "#src/api/http.ts";
import { createPasskeySignInApi } from "#src/api/passkeys.ts";
import { inspected } from "#src/browser/inspection.ts";
import { toast } from "#src/browser/toasts.ts";
import { authApi, beginSession, plainSend } from "#src/features/session/actor.ts";
import { loadTexts } from "#src/i18n/index.ts";

const api = createPasskeySignInApi(createCall(plainSend));
const ceremony = () => import("./ceremony.ts");

/** The request that the passkey being checked has answered. */
let lastRequest: PasskeyRequest | undefined;

const request = async (signal: AbortSignal): Promise<PasskeyRequest> => {
  lastRequest = await api.request(signal);
  return lastRequest;
};

const machine = passkeySignInMachine.provide({
  actors: {
    offer: fromPromise(async ({ signal }) => {
      const { canOffer, offerPasskey } = await ceremony();
      if (!(await canOffer())) throw new Error("This browser offers passkeys in no field.");
      return offerPasskey(await request(signal), signal);
    }),
    ask: fromPromise(async ({ signal }) => {
      const [{ askForPasskey }, options] = await Promise.all([ceremony(), request(signal)]);
      return askForPasskey(options, signal);
    }),
    check: fromPromise(async ({ input: { used }, signal }) => {
      if (used === null) throw new Error("Nothing was signed.");
      try {
        return await authApi.alone(() => api.check(used, signal));
      } catch (error) {
        if (codeOf(error) === "passkeyUnknown") await (await ceremony()).signalUnknownPasskey(lastRequest?.rpId ?? "", used.id);
        throw error;
      }
    }),
  },
  actions: {
    begin: (_, { accessToken, user }) => {
      beginSession({ accessToken, user });
      toast({ kind: "success", key: "toast.signedIn" });
    },
  },
});
export type PasskeySignInActor = ActorRefFrom<typeof machine>;

let open: Promise<PasskeySignInActor | null> | undefined;

/**
 * Opens the sign-in with a passkey. Returns the same actor until the user leaves the page.
 * @param hasField whether the page has the field in which the browser may offer passkeys
 * @returns null if the browser does not support passkeys or the texts can't be loaded; the password always works
 */
export function enterPasskeySignIn(hasField: boolean): Promise<PasskeySignInActor | null> {
  if (!("PublicKeyCredential" in globalThis)) return Promise.resolve(null);
  const begin = () => createActor(machine, { ...inspected(), input: { hasField } }).start();
  open ??= loadTexts("passkeys").then(begin, () => null);
  return open;
}

/** Ends the browser's ceremony and aborts a pending call. */
export async function leavePasskeySignIn(): Promise<void> {
  const left = open;
  open = undefined;
  (await left)?.stop();
}

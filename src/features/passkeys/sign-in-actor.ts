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

/** What the passkey that is being checked was asked with. */
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
 * Signing in with a passkey on the page that is shown: the same until it is left.
 * @param hasField the page has the field in which the browser may offer passkeys
 * @returns null where the browser knows no passkeys, or their texts can't be loaded: the password is always there
 */
export function enterPasskeySignIn(hasField: boolean): Promise<PasskeySignInActor | null> {
  if (!("PublicKeyCredential" in globalThis)) return Promise.resolve(null);
  const begin = () => createActor(machine, { ...inspected(), input: { hasField } }).start();
  open ??= loadTexts("passkeys").then(begin, () => null);
  return open;
}

/** Ends what the browser asks, and aborts a pending call. */
export async function leavePasskeySignIn(): Promise<void> {
  const left = open;
  open = undefined;
  (await left)?.stop();
}

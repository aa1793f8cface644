import {
  browserSupportsWebAuthnAutofill,
  sendSignal,
  startAuthentication,
  startRegistration,
  WebAuthnAbortService,
  WebAuthnError,
} from "@simplewebauthn/browser";
import { parse } from "valibot";
import { MadePasskey, type PasskeyCreation, type PasskeyRequest, UsedPasskey } from "#contract/index.ts";

/** The reason for a refusal by the browser or the device. */
type Refusal =
  /** The user refused or took too long. Browsers don't say which. */
  | "passkeyDismissed"
  /** The device already has a passkey of this account. */
  | "passkeyKnown"
  /** The page's address is not the one for which the server's passkeys are valid. */
  | "passkeyElsewhere"
  /** The device can't create discoverable passkeys, or can't verify the user. */
  | "passkeyUnsupported";

/** A refusal in the form that machines read (`codeOf`). */
class PasskeyError extends Error {
  override readonly name = "PasskeyError";
  readonly code: Refusal;

  constructor(code: Refusal, cause: unknown) {
    super(code, { cause });
    this.code = code;
  }
}

const refusals: Partial<Record<WebAuthnError["code"], Refusal>> = {
  ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED: "passkeyKnown",
  ERROR_INVALID_DOMAIN: "passkeyElsewhere",
  ERROR_INVALID_RP_ID: "passkeyElsewhere",
  ERROR_AUTHENTICATOR_MISSING_DISCOVERABLE_CREDENTIAL_SUPPORT: "passkeyUnsupported",
  ERROR_AUTHENTICATOR_MISSING_USER_VERIFICATION_SUPPORT: "passkeyUnsupported",
  ERROR_AUTHENTICATOR_NO_SUPPORTED_PUBKEYCREDPARAMS_ALG: "passkeyUnsupported",
};

/** Runs a ceremony, and cancels it when the signal aborts. A browser runs only one at a time. @throws PasskeyError */
async function untilAborted<Answer>(signal: AbortSignal, ask: () => Promise<Answer>): Promise<Answer> {
  const cancel = () => WebAuthnAbortService.cancelCeremony();
  signal.throwIfAborted();
  signal.addEventListener("abort", cancel, { once: true });
  try {
    return await ask();
  } catch (error) {
    const code = error instanceof WebAuthnError ? refusals[error.code] : undefined;
    throw new PasskeyError(code ?? "passkeyDismissed", error);
  } finally {
    signal.removeEventListener("abort", cancel);
  }
}

/** Makes the device create a passkey. @throws PasskeyError */
export async function makePasskey(optionsJSON: PasskeyCreation, signal: AbortSignal): Promise<MadePasskey> {
  return parse(MadePasskey, await untilAborted(signal, () => startRegistration({ optionsJSON })));
}

/** Makes the device sign in with one of its passkeys. @throws PasskeyError */
export async function askForPasskey(optionsJSON: PasskeyRequest, signal: AbortSignal): Promise<UsedPasskey> {
  return parse(UsedPasskey, await untilAborted(signal, () => startAuthentication({ optionsJSON })));
}

/** Whether the browser offers passkeys in fields. */
export const canOffer = browserSupportsWebAuthnAutofill;

/**
 * Signs in once the user chooses a passkey in the field whose `autocomplete` ends with "webauthn". @throws PasskeyError
 */
export async function offerPasskey(optionsJSON: PasskeyRequest, signal: AbortSignal): Promise<UsedPasskey> {
  const ask = () => startAuthentication({ optionsJSON, useBrowserAutofill: true, verifyBrowserAutofillInput: false });
  return parse(UsedPasskey, await untilAborted(signal, ask));
}

/** Tells the browser that the server does not know this passkey, so that the browser stops offering it. */
export async function signalUnknownPasskey(rpID: string, credentialID: string): Promise<void> {
  // Only a hint: nothing is lost in browsers without it.
  await sendSignal({ signalName: "unknownCredential", rpID, credentialID }).catch(() => {});
}

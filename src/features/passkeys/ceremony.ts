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

/** Why the browser or the device has refused. */
type Refusal =
  /** The person has, or took too long; a browser does not say which. */
  | "passkeyDismissed"
  /** The device has one of this account already. */
  | "passkeyKnown"
  /** The page is not at the address that the server's passkeys are for. */
  | "passkeyElsewhere"
  /** The device makes none that are found by themselves, or can't ask who is there. */
  | "passkeyUnsupported";

/** A refusal as machines read it (`codeOf`). */
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

/** One question at a time is asked by a browser: it ends with its signal. @throws PasskeyError */
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

/** Has the device make a passkey. @throws PasskeyError */
export async function makePasskey(optionsJSON: PasskeyCreation, signal: AbortSignal): Promise<MadePasskey> {
  return parse(MadePasskey, await untilAborted(signal, () => startRegistration({ optionsJSON })));
}

/** Has the device sign in with one of its passkeys. @throws PasskeyError */
export async function askForPasskey(optionsJSON: PasskeyRequest, signal: AbortSignal): Promise<UsedPasskey> {
  return parse(UsedPasskey, await untilAborted(signal, () => startAuthentication({ optionsJSON })));
}

/** Whether the browser offers passkeys in fields. */
export const canOffer = browserSupportsWebAuthnAutofill;

/** The same once the person chooses one in the field whose `autocomplete` ends with "webauthn". @throws PasskeyError */
export async function offerPasskey(optionsJSON: PasskeyRequest, signal: AbortSignal): Promise<UsedPasskey> {
  const ask = () => startAuthentication({ optionsJSON, useBrowserAutofill: true, verifyBrowserAutofillInput: false });
  return parse(UsedPasskey, await untilAborted(signal, ask));
}

/** The server knows no such passkey: where the browser takes the hint, it offers it no more. */
export async function signalUnknownPasskey(rpID: string, credentialID: string): Promise<void> {
  // A hint: browsers without it lose nothing.
  await sendSignal({ signalName: "unknownCredential", rpID, credentialID }).catch(() => {});
}

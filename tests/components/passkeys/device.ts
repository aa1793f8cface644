import { onTestFinished, vi } from "vitest";
import { offer } from "#tests/machines/passkeys/passkeys.ts";

// A simulated device whose answers the test defines.

const bytes = (text: string): ArrayBuffer => new TextEncoder().encode(text).buffer;
/** Bytes in the encoding of WebAuthn's JSON. */
export const base64 = (text: string): string => btoa(text).replaceAll("=", "");

/** The server's options for the address of the tests' page. */
export const offerHere = {
  ...offer,
  rp: { id: location.hostname, name: "Parlance" },
  user: { ...offer.user, id: base64("ada") },
  challenge: base64("challenge"),
};

/** A device's answer: the name of an error, or "" for a passkey. */
type Answer = () => string | Promise<string>;

/**
 * Simulates the device's answers until the test ends.
 * @returns the requests to the device
 */
export function playDevice(what: "create" | "get", answer: Answer) {
  const asked: CredentialCreationOptions[] = [];
  const device = vi.spyOn(navigator.credentials, what).mockImplementation(async (options = {}) => {
    asked.push(options);
    const refused = await answer();
    if (refused !== "") throw new DOMException(refused, refused);
    return passkeyOf(what);
  });
  onTestFinished(() => device.mockRestore());
  return asked;
}

function passkeyOf(what: "create" | "get") {
  const clientDataJSON = bytes("client");
  const made = { clientDataJSON, attestationObject: bytes("attested"), getTransports: () => ["internal"] };
  const used = { clientDataJSON, authenticatorData: bytes("data"), signature: bytes("signed"), userHandle: bytes("ada") };
  return {
    id: base64("key"),
    rawId: bytes("key"),
    type: "public-key",
    response: what === "create" ? made : used,
    getClientExtensionResults: () => ({}),
  };
}

/** Sets whether the browser offers passkeys in form fields. */
export function offerInFields(isPossible: boolean): void {
  const offers = vi.spyOn(PublicKeyCredential, "isConditionalMediationAvailable").mockResolvedValue(isPossible);
  onTestFinished(() => offers.mockRestore());
}

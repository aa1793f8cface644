import { onTestFinished, vi } from "vitest";
import { offer } from "#tests/machines/passkeys/passkeys.ts";

// The device is played: what it answers is what a test says.

const bytes = (text: string): ArrayBuffer => new TextEncoder().encode(text).buffer;
/** These bytes as WebAuthn's JSON writes them. */
export const base64 = (text: string): string => btoa(text).replaceAll("=", "");

/** What the server offers, for the address of the tests' page. */
export const offerHere = {
  ...offer,
  rp: { id: location.hostname, name: "Parlance" },
  user: { ...offer.user, id: base64("ada") },
  challenge: base64("challenge"),
};

/** What a device answers: the name of an error, or a passkey. */
type Answer = () => string | Promise<string>;

/** From now on until the test ends, the device answers so: "" is the passkey. @returns what it was asked */
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

/** Whether the browser offers passkeys in fields. */
export function offerInFields(isPossible: boolean): void {
  const offers = vi.spyOn(PublicKeyCredential, "isConditionalMediationAvailable").mockResolvedValue(isPossible);
  onTestFinished(() => offers.mockRestore());
}

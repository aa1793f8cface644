import type { MadePasskey, UsedPasskey } from "#contract/index.ts";

/** The expected values of a passkey's answer. */
interface Expected {
  challenge: string;
  /** The page's origin, and the domain of its passkeys. */
  origin: string;
  rpId: string;
}

/** A new passkey that was checked; or why it is none, for the log. */
type Made =
  | { credentialId: string; publicKey: string; counter: number; synced: boolean }
  /** A sentence of the library's. */
  | { refused: string };

/** The authenticator's counter, and whether the passkey is synced; or why it was refused. */
type Used = { counter: number; synced: boolean } | { refused: string };

/** ES256, EdDSA and RS256 (RFC 9053, RFC 8812): what authenticators make. */
export const passkeyAlgorithms = [-7, -8, -257];
/** A COSE key of RSA with 8192 bits, and more (bytes). */
const maxKeyBytes = 1200;

// Loaded in the thread: that takes longer than an event loop may wait.
const webauthn = () => import("@simplewebauthn/server");
const helpers = () => import("@simplewebauthn/server/helpers");

const bytesOf = (text: string) => new Uint8Array(Buffer.from(text, "base64url"));
const reasonOf = (error: unknown) => ({ refused: error instanceof Error ? error.message : "It can't be read." });

/** Checks what a browser has made (WebAuthn Level 3, section 7.1). */
async function madePasskey({ made, challenge, origin, rpId }: Expected & { made: MadePasskey }): Promise<Made> {
  try {
    await refuseAttestation(made.response.attestationObject);
    const { verifyRegistrationResponse } = await webauthn();
    const { clientDataJSON, attestationObject } = made.response;
    const verified = await verifyRegistrationResponse({
      response: { ...made, response: { clientDataJSON, attestationObject }, clientExtensionResults: {} },
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: rpId,
      requireUserVerification: true,
      supportedAlgorithmIDs: passkeyAlgorithms,
    });
    if (!verified.verified) return { refused: "Its signature is wrong." };
    const { credential, credentialDeviceType } = verified.registrationInfo;
    if (credential.publicKey.length > maxKeyBytes) return { refused: "Its key is too large." };
    return {
      credentialId: credential.id,
      publicKey: Buffer.from(credential.publicKey).toString("base64url"),
      counter: credential.counter,
      synced: credentialDeviceType === "multiDevice",
    };
  } catch (error) {
    return reasonOf(error);
  }
}

/** Attestation was not requested. One with certificates is not even read: its check would fetch the addresses in it. */
async function refuseAttestation(attestationObject: string): Promise<void> {
  const { decodeAttestationObject } = await helpers();
  const attestation = decodeAttestationObject(bytesOf(attestationObject));
  const format = attestation.get("fmt");
  const isSelf = format === "packed" && attestation.get("attStmt").get("x5c") === undefined;
  if (format !== "none" && !isSelf) throw new Error("It has an attestation.");
}

/**
 * Checks a passkey's signature (WebAuthn Level 3, section 7.2) except its counter, which is compared when it is stored.
 */
async function usedPasskey({
  used,
  credential,
  challenge,
  origin,
  rpId,
}: Expected & { used: UsedPasskey; credential: { id: string; publicKey: string } }): Promise<Used> {
  try {
    const { verifyAuthenticationResponse } = await webauthn();
    const { verified, authenticationInfo: info } = await verifyAuthenticationResponse({
      response: { ...used, response: { ...used.response }, clientExtensionResults: {} },
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: rpId,
      credential: { id: credential.id, publicKey: bytesOf(credential.publicKey), counter: 0 },
      requireUserVerification: true,
    });
    if (!verified) return { refused: "Its signature is wrong." };
    return { counter: info.newCounter, synced: info.credentialDeviceType === "multiDevice" };
  } catch (error) {
    return reasonOf(error);
  }
}

export const passkeyTasks = { madePasskey, usedPasskey };

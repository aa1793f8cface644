import * as v from "valibot";
import { OwnPassword } from "./settings.ts";

export const maxPasskeys = 20;
/** Timeout of a request to a passkey, in minutes. */
export const passkeyMinutes = 5;

const PasskeyName = v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(100));

/** Base64url without padding, as in WebAuthn's JSON. @param most bytes */
const bytes = (most: number) => v.pipe(v.string(), v.maxLength(Math.ceil((most * 4) / 3)), v.regex(/^[\w-]+$/));

/** WebAuthn Level 3, section 4: "at most 1023 bytes". */
const CredentialId = bytes(1023);
/** The data that the browser signs: type, challenge and origin, as JSON. */
const ClientData = bytes(4096);
const transports = ["ble", "cable", "hybrid", "internal", "nfc", "smart-card", "usb"] as const;
const Transport = v.picklist(transports);

/** A passkey without its key. Times are ISO 8601, UTC. */
export const Passkey = v.object({
  id: v.string(),
  name: v.string(),
  createdAt: v.string(),
  /** null when it was never used to sign in. */
  lastUsedAt: v.nullable(v.string()),
  /** Whether a password manager syncs it to several devices. */
  synced: v.boolean(),
});
export type Passkey = v.InferOutput<typeof Passkey>;
/**
 * GET /users/me/passkeys: the oldest first. PATCH of …/{id} renames one; DELETE removes it and ends all other sessions.
 */
export const PasskeysAnswer = v.object({ passkeys: v.array(Passkey) });
export type PasskeysAnswer = v.InferOutput<typeof PasskeysAnswer>;

/** POST /users/me/passkeys/challenge; DELETE /users/me/passkeys/{id} */
export const PasskeyProof = v.object({ password: OwnPassword });
/** PATCH /users/me/passkeys/{id} */
export const PasskeyChange = v.object({ name: PasskeyName });

const KnownCredential = v.object({ id: v.string(), type: v.literal("public-key"), transports: v.optional(v.array(Transport)) });

/**
 * The response of POST /users/me/passkeys/challenge: PublicKeyCredentialCreationOptionsJSON (WebAuthn Level 3, section
 * 5.1.9).
 */
export const PasskeyCreation = v.object({
  rp: v.object({ id: v.string(), name: v.string() }),
  user: v.object({ id: v.string(), name: v.string(), displayName: v.string() }),
  challenge: v.string(),
  pubKeyCredParams: v.array(v.object({ type: v.literal("public-key"), alg: v.number() })),
  timeout: v.number(),
  excludeCredentials: v.array(KnownCredential),
  authenticatorSelection: v.object({
    residentKey: v.literal("required"),
    requireResidentKey: v.literal(true),
    userVerification: v.literal("required"),
  }),
  attestation: v.literal("none"),
});
export type PasskeyCreation = v.InferOutput<typeof PasskeyCreation>;

/**
 * The response of POST /auth/passkey/challenge: PublicKeyCredentialRequestOptionsJSON, for any passkey on the device.
 */
export const PasskeyRequest = v.object({
  rpId: v.string(),
  challenge: v.string(),
  timeout: v.number(),
  userVerification: v.literal("required"),
});
export type PasskeyRequest = v.InferOutput<typeof PasskeyRequest>;

/** The browser's data of a new passkey (RegistrationResponseJSON, as far as it is needed). */
export const MadePasskey = v.object({
  id: CredentialId,
  rawId: CredentialId,
  type: v.literal("public-key"),
  response: v.object({
    clientDataJSON: ClientData,
    attestationObject: bytes(16_384),
    transports: v.fallback(v.optional(v.pipe(v.array(Transport), v.maxLength(transports.length))), undefined),
  }),
});
export type MadePasskey = v.InferOutput<typeof MadePasskey>;
/** POST /users/me/passkeys: ends all other sessions. */
export const NewPasskey = v.object({ name: PasskeyName, made: MadePasskey });
export type NewPasskey = v.InferInput<typeof NewPasskey>;

/** The browser's data of a used passkey (AuthenticationResponseJSON, as far as it is needed). */
export const UsedPasskey = v.object({
  id: CredentialId,
  rawId: CredentialId,
  type: v.literal("public-key"),
  response: v.object({
    clientDataJSON: ClientData,
    authenticatorData: bytes(4096),
    signature: bytes(8192),
    /** WebAuthn Level 3, section 5.4.3: at most 64 bytes. */
    userHandle: v.optional(bytes(64)),
  }),
});
export type UsedPasskey = v.InferOutput<typeof UsedPasskey>;
/** POST /auth/passkey: returns the same as a login. */
export const PasskeySignIn = v.object({ used: UsedPasskey });

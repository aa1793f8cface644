import * as v from "valibot";
import { OwnPassword } from "./settings.ts";

/** Number of an account's recovery codes. Each is accepted once in place of a code of the authenticator app. */
export const recoveryCodeCount = 10;
/** Digits of an authenticator app's code (RFC 6238). All apps support this number. */
export const codeDigits = 6;

/** A typed code of the authenticator app, or a recovery code: with or without spaces and hyphens. */
const TypedCode = v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(64));

/** GET /users/me/second-factor */
export const SecondFactor = v.object({
  /** When the second factor was turned on (ISO 8601, UTC); null: it is off. */
  enabledAt: v.nullable(v.string()),
  recoveryCodesLeft: v.number(),
  /** Whether the operator requires it of this account, which administers the server. */
  required: v.boolean(),
});
export type SecondFactor = v.InferOutput<typeof SecondFactor>;

/** POST /users/me/second-factor: signing in asks for no code until the first code is confirmed. */
export const SecondFactorStart = v.object({ password: OwnPassword });
/** The data for the authenticator app: the secret in Base32, and as an otpauth:// URL for a QR code. */
export const SecondFactorSecret = v.object({ secret: v.string(), uri: v.string() });
export type SecondFactorSecret = v.InferOutput<typeof SecondFactorSecret>;

/** POST /users/me/second-factor/confirmation; also POST /auth/second-factor, which returns the same as a login. */
export const CodeProof = v.object({ code: TypedCode });
/** The response of the confirmation, and of POST /users/me/second-factor/recovery-codes: shown once. */
export const RecoveryCodesAnswer = v.object({ recoveryCodes: v.array(v.string()) });
/** POST /users/me/second-factor/recovery-codes; DELETE /users/me/second-factor */
export const SecondFactorChange = v.object({ password: OwnPassword, code: TypedCode });
export type SecondFactorChange = v.InferInput<typeof SecondFactorChange>;

/** GET /auth/second-factor: the account whose password was just right in this browser. */
export const PendingSignIn = v.object({ email: v.string() });
export type PendingSignIn = v.InferOutput<typeof PendingSignIn>;

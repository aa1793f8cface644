import * as v from "valibot";
import { OwnPassword } from "./settings.ts";

/** Recovery codes of an account, each of which is accepted once instead of a code of the authenticator app. */
export const recoveryCodeCount = 10;
/** Digits of a code of an authenticator app (RFC 6238; the only number that all of them show). */
export const codeDigits = 6;

/** A code of the authenticator app, or a recovery code, as somebody types it: with or without spaces and hyphens. */
const TypedCode = v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(64));

/** GET /users/me/second-factor */
export const SecondFactor = v.object({
  /** Since when signing in asks for a code (ISO 8601, UTC); null: it does not. */
  enabledAt: v.nullable(v.string()),
  recoveryCodesLeft: v.number(),
  /** The operator wants it of this account, which administers the server. */
  required: v.boolean(),
});
export type SecondFactor = v.InferOutput<typeof SecondFactor>;

/** POST /users/me/second-factor: nothing is asked for at sign-in before the first code was confirmed. */
export const SecondFactorStart = v.object({ password: OwnPassword });
/** What the authenticator app is to know: the secret in Base32, and the same as otpauth:// address, for a QR code. */
export const SecondFactorSecret = v.object({ secret: v.string(), uri: v.string() });
export type SecondFactorSecret = v.InferOutput<typeof SecondFactorSecret>;

/** POST /users/me/second-factor/confirmation; also POST /auth/second-factor, which answers as a login does. */
export const CodeProof = v.object({ code: TypedCode });
/** The answer to the confirmation, and to POST /users/me/second-factor/recovery-codes: shown this once. */
export const RecoveryCodesAnswer = v.object({ recoveryCodes: v.array(v.string()) });
/** POST /users/me/second-factor/recovery-codes; DELETE /users/me/second-factor */
export const SecondFactorChange = v.object({ password: OwnPassword, code: TypedCode });
export type SecondFactorChange = v.InferInput<typeof SecondFactorChange>;

/** GET /auth/second-factor: the account whose password was right in this browser a moment ago. */
export const PendingSignIn = v.object({ email: v.string() });
export type PendingSignIn = v.InferOutput<typeof PendingSignIn>;

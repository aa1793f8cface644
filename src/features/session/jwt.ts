import { InvalidTokenError, jwtDecode } from "jwt-decode";
import { safeParse } from "valibot";
import { TokenClaims } from "#contract/index.ts";
import type { SessionToken } from "#machines/session/rules.ts";

/**
 * Decodes a token's payload (SPEC.md section 5, "Token decoding"). Only the server can check the signature.
 * @throws InvalidTokenError when the token is no string, lacks the payload, or the payload is malformed
 */
export function decodeClaims(token: unknown): TokenClaims {
  const claims = safeParse(TokenClaims, jwtDecode(asString(token)));
  if (!claims.success) throw new InvalidTokenError("Invalid token specified: its payload lacks what a session needs");
  return claims.output;
}

/** Throws with the message of jwt-decode, whose types exclude other values. */
function asString(token: unknown): string {
  if (typeof token !== "string") throw new InvalidTokenError("Invalid token specified: must be a string");
  return token;
}

/** @throws InvalidTokenError */
export function readToken(value: unknown): SessionToken {
  const claims = decodeClaims(value);
  return { value: String(value), expiresAt: claims.exp * 1000, userId: claims.sub };
}

/**
 * How far the server's clock is ahead of this device's (ms), measured with a fresh token. Ignores differences below two
 * seconds, because `iat` has whole seconds and the answer took some time.
 * @param now epoch ms
 */
export function clockOffsetOf(value: string, now: number): number {
  const { iat } = decodeClaims(value);
  if (iat === undefined) return 0;
  const offset = iat * 1000 - now;
  return Math.abs(offset) < 2_000 ? 0 : offset;
}

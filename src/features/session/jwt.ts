import { InvalidTokenError, jwtDecode } from "jwt-decode";
import { safeParse } from "valibot";
import { TokenClaims } from "#contract/index.ts";
import type { SessionToken } from "#machines/session/rules.ts";

/**
 * Reads a token's payload (SPEC.md section 5, "Token decoding"). Nobody but the server can check its signature.
 * @throws InvalidTokenError when it is no string, lacks the payload, or the payload is not what it should be
 */
export function decodeClaims(token: unknown): TokenClaims {
  const claims = safeParse(TokenClaims, jwtDecode(asString(token)));
  if (!claims.success) throw new InvalidTokenError("Invalid token specified: its payload lacks what a session needs");
  return claims.output;
}

/** In the words of jwt-decode, whose types let nothing else come this far. */
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
 * How far the server's clock is ahead of this device's, in ms, from a token that has just been made. `iat` has whole seconds, and the
 * answer took its time: less than two seconds mean nothing.
 * @param now epoch ms
 */
export function clockOffsetOf(value: string, now: number): number {
  const { iat } = decodeClaims(value);
  if (iat === undefined) return 0;
  const offset = iat * 1000 - now;
  return Math.abs(offset) < 2_000 ? 0 : offset;
}

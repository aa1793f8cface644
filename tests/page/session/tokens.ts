/** A token as the server makes it, unsigned. @param exp seconds since the epoch */
export function makeToken(claims: { sub?: string; exp?: unknown; iat?: number; [claim: string]: unknown }): string {
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
  return `${part({ alg: "HS256", typ: "JWT" })}.${part(claims)}.signature`;
}

import { createHash, randomBytes, timingSafeEqual } from "node:crypto";

const digest = (secret: string): Buffer => createHash("sha256").update(secret).digest();

/**
 * A new link: what finds it (64 bits, no secret), what opens it (256 bits), and its hash, by which the server knows
 * it.
 */
export function newLinkSecret(): { id: string; secret: string; hash: string } {
  const secret = randomBytes(32).toString("base64url");
  return { id: randomBytes(8).toString("hex"), secret, hash: digest(secret).toString("hex") };
}

/** Whose secret is sealed (session/sealing.ts): in the row of another link, or of another person, it can't be read. */
export const sealOwner = (userId: string, link: string): string => `${userId} shared link ${link}`;

/** What the grants of a link are bound to, besides its id; another one ends them. */
export const newLock = (): string => randomBytes(8).toString("hex");

/** Compares in constant time. @param hash as it is kept */
export function isSecretOf(secret: string, hash: string): boolean {
  const known = Buffer.from(hash, "hex");
  const presented = digest(secret);
  return known.length === presented.length && timingSafeEqual(known, presented);
}

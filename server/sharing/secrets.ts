import { randomBytes } from "node:crypto";
import { hashOf, newSecret } from "#server/session/secrets.ts";

/**
 * A new link: what finds it (64 bits, no secret), what opens it (256 bits), and its hash, by which the server knows
 * it.
 */
export function newLinkSecret(): { id: string; secret: string; hash: string } {
  const secret = newSecret();
  return { id: randomBytes(8).toString("hex"), secret, hash: hashOf(secret) };
}

/** Whose secret is sealed (session/sealing.ts): in the row of another link, or of another person, it can't be read. */
export const sealOwner = (userId: string, link: string): string => `${userId} shared link ${link}`;

/** What the grants of a link are bound to, besides its id; another one ends them. */
export const newLock = (): string => randomBytes(8).toString("hex");

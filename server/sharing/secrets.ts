import { randomBytes } from "node:crypto";
import { hashOf, newSecret } from "#server/session/secrets.ts";

/**
 * A new link: its public id (64 bits), the secret that opens it (256 bits), and the secret's hash, which the server
 * stores.
 */
export function newLinkSecret(): { id: string; secret: string; hash: string } {
  const secret = newSecret();
  return { id: randomBytes(8).toString("hex"), secret, hash: hashOf(secret) };
}

/**
 * The owner for sealing (session/sealing.ts): in the row of another link, or of another user, the secret can't be read.
 */
export const sealOwner = (userId: string, link: string): string => `${userId} shared link ${link}`;

/** A link's grants are bound to its lock, besides its id. A new lock ends them. */
export const newLock = (): string => randomBytes(8).toString("hex");

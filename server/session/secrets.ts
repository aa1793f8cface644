import { hash, randomBytes } from "node:crypto";

/** A secret of 256 random bits, base64url. */
export function newSecret(): string {
  return randomBytes(32).toString("base64url");
}

/** The form in which the database stores such a secret: its SHA-256, hex. With so many random bits a fast hash is enough. */
export function hashOf(secret: string): string {
  return hash("sha256", secret);
}

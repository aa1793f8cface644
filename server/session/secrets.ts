import { createCipheriv, createDecipheriv, hash, randomBytes, timingSafeEqual } from "node:crypto";

/** A secret of 256 random bits, base64url. */
export function newSecret(): string {
  return randomBytes(32).toString("base64url");
}

/**
 * The form in which the database stores such a secret: its SHA-256, hex. With so many random bits a fast hash is
 * enough.
 */
export function hashOf(secret: string): string {
  return hash("sha256", secret);
}

/** Compares in constant time. @param stored the secret's hash */
export function isSecretOf(secret: string, stored: string): boolean {
  const [known, presented] = [Buffer.from(stored), Buffer.from(hashOf(secret))];
  return known.length === presented.length && timingSafeEqual(known, presented);
}

/** AES-256-GCM: the 96-bit IV must never repeat, and a 128-bit tag detects changes (NIST SP 800-38D). */
const algorithm = "aes-256-gcm";
const ivBytes = 12;
const tagBytes = 16;

/** @param owner whose secret it is; with another owner it can't be decrypted */
export function encrypt(key: Buffer, secret: string, owner = ""): Buffer {
  const iv = randomBytes(ivBytes);
  const cipher = createCipheriv(algorithm, key, iv).setAAD(Buffer.from(owner));
  const encrypted = Buffer.concat([cipher.update(secret, "utf8"), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), encrypted]);
}

/** @throws when the text was changed, or was encrypted for another owner or with another key */
export function decrypt(key: Buffer, bytes: Buffer, owner = ""): string {
  const decipher = createDecipheriv(algorithm, key, bytes.subarray(0, ivBytes)).setAAD(Buffer.from(owner));
  decipher.setAuthTag(bytes.subarray(ivBytes, ivBytes + tagBytes));
  return Buffer.concat([decipher.update(bytes.subarray(ivBytes + tagBytes)), decipher.final()]).toString("utf8");
}

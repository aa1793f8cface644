import { argon2, randomBytes, timingSafeEqual } from "node:crypto";
import { promisify } from "node:util";
import { normalizePassword } from "#contract/index.ts";

/** OWASP Password Storage Cheat Sheet: Argon2id with 19 MiB, 2 passes, 1 lane. */
const owasp = { memory: 19_456, passes: 2, parallelism: 1 } as const;
const tagLength = 32;
const derive = promisify(argon2);

/**
 * Hashes a validated password; to set one, use new-password.ts.
 * @returns the PHC string, `$argon2id$v=19$m=19456,t=2,p=1$<salt>$<hash>`
 */
export async function hashPassword(password: string): Promise<string> {
  const nonce = randomBytes(16);
  const tag = await derive("argon2id", { message: normalizePassword(password), nonce, tagLength, ...owasp });
  const { memory, passes, parallelism } = owasp;
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${unpadded(nonce)}$${unpadded(tag)}`;
}

/** Compares in constant time. False for a string that is not an Argon2id PHC string. */
export async function verifyPassword(password: string, phc: string): Promise<boolean> {
  const match = /^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,2}),p=(\d{1,2})\$([\w+/]+)\$([\w+/]+)$/.exec(phc);
  if (match === null) return false;
  const [, memory, passes, parallelism, salt = "", hash = ""] = match;
  const expected = Buffer.from(hash, "base64");
  const cost = { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) };
  const isIt = async (message: string) => {
    const tag = await derive("argon2id", { message, nonce: Buffer.from(salt, "base64"), tagLength: expected.length, ...cost });
    return timingSafeEqual(tag, expected);
  };
  const normal = normalizePassword(password);
  // Older hashes are of the password before normalisation. The time taken depends only on the input, not on the stored hash.
  const typed = normal === password ? false : await isIt(password);
  return (await isIt(normal)) || typed;
}

/** A hash without a known password, with the current parameters. */
const decoy = `$argon2id$v=19$m=${owasp.memory},t=${owasp.passes},p=${owasp.parallelism}$${"A".repeat(22)}$${"A".repeat(43)}`;

/** Takes as long as a comparison, for an account that does not exist, to prevent timing attacks. Always false. */
export async function verifyNothing(password: string): Promise<false> {
  await verifyPassword(password, decoy);
  return false;
}

function unpadded(bytes: Buffer): string {
  return bytes.toString("base64").replace(/=+$/, "");
}

import { argon2, randomBytes, timingSafeEqual } from "node:crypto";
import { promisify } from "node:util";
import { normalizePassword } from "#contract/index.ts";

/** OWASP Password Storage Cheat Sheet: Argon2id with 19 MiB, 2 passes, 1 lane. */
const owasp = { memory: 19_456, passes: 2, parallelism: 1 } as const;
const tagLength = 32;
const derive = promisify(argon2);

/**
 * Hashes a password that has been judged: new-password.ts is the way to set one.
 * @returns the PHC string, `$argon2id$v=19$m=19456,t=2,p=1$<salt>$<hash>`
 */
export async function hashPassword(password: string): Promise<string> {
  const nonce = randomBytes(16);
  const tag = await derive("argon2id", { message: normalizePassword(password), nonce, tagLength, ...owasp });
  const { memory, passes, parallelism } = owasp;
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${unpadded(nonce)}$${unpadded(tag)}`;
}

/** Compares in constant time. False for a string that is no Argon2id PHC string. */
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
  // Hashes from before passwords were normalised are of what was typed. The work depends on what is typed now, and on nothing else.
  const typed = normal === password ? false : await isIt(password);
  return (await isIt(normal)) || typed;
}

/** A hash that no password is known for, at today's parameters. */
const decoy = `$argon2id$v=19$m=${owasp.memory},t=${owasp.passes},p=${owasp.parallelism}$${"A".repeat(22)}$${"A".repeat(43)}`;

/** Does the work of a comparison for an account that does not exist, so that the answer's time does not tell. Always false. */
export async function verifyNothing(password: string): Promise<false> {
  await verifyPassword(password, decoy);
  return false;
}

function unpadded(bytes: Buffer): string {
  return bytes.toString("base64").replace(/=+$/, "");
}

import { type Argon2Parameters, argon2, randomBytes, timingSafeEqual } from "node:crypto";
import { promisify } from "node:util";
import { normalizePassword } from "#contract/index.ts";
import { queues } from "#server/threads/queues.ts";
import { type Claimant, Slots } from "#server/threads/slots.ts";

/** The cost of Argon2id. */
export interface PasswordCost {
  /** KiB. */
  memory: number;
  passes: number;
  parallelism: number;
}

/** Hashes and compares passwords in turns, so that Node's thread pool stays free for files and compression. */
export interface Passwords {
  /**
   * Hashes a validated password; to set one, use new-password.ts.
   * @returns the PHC string, `$argon2id$v=19$m=19456,t=2,p=1$<salt>$<hash>`
   * @throws Problem `tooManyAtOnce`
   */
  hash(password: string, claimant: Claimant): Promise<string>;
  /**
   * Compares in constant time. False for a string that is not an Argon2id PHC string.
   * @param phc "" or undefined without a password or account: false after the same time, to prevent timing attacks
   * @throws Problem `tooManyAtOnce`
   */
  verify(password: string, phc: string | undefined, claimant: Claimant): Promise<boolean>;
}

/** OWASP Password Storage Cheat Sheet: Argon2id with 19 MiB, 2 passes, 1 lane. */
const owasp: PasswordCost = { memory: 19_456, passes: 2, parallelism: 1 };
const tagLength = 32;
const endless = new AbortController().signal;

/** Argon2id. */
export type DeriveTag = (parameters: Argon2Parameters) => Promise<Buffer>;
const runArgon2 = promisify(argon2);
export const argon2id: DeriveTag = (parameters) => runArgon2("argon2id", parameters);

/**
 * @param cost of new hashes, and of a comparison without a hash; other comparisons have the cost in their hash
 * @param derive called once per computed hash
 */
export function createPasswords(cost: PasswordCost = owasp, derive: DeriveTag = argon2id): Passwords {
  const parameters = `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=${cost.parallelism}`;
  /** A hash without a known password. */
  const decoy = `${parameters}$${"A".repeat(22)}$${"A".repeat(43)}`;
  const slots = new Slots(queues.passwords);
  const hash = async (password: string) => {
    const nonce = randomBytes(16);
    const tag = await derive({ message: normalizePassword(password), nonce, tagLength, ...cost });
    return `${parameters}$${unpadded(nonce)}$${unpadded(tag)}`;
  };
  return {
    hash: (password, claimant) => slots.run(endless, () => hash(password), claimant),
    verify: (password, phc, claimant) =>
      slots.run(endless, async () => (await verifyPassword(derive, password, phc || decoy)) && Boolean(phc), claimant),
  };
}

async function verifyPassword(derive: DeriveTag, password: string, phc: string): Promise<boolean> {
  const match = /^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,2}),p=(\d{1,2})\$([\w+/]+)\$([\w+/]+)$/.exec(phc);
  if (match === null) return false;
  const [, memory, passes, parallelism, salt = "", hash = ""] = match;
  const expected = Buffer.from(hash, "base64");
  const cost = { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) };
  const isIt = async (message: string) => {
    const tag = await derive({ message, nonce: Buffer.from(salt, "base64"), tagLength: expected.length, ...cost }).catch(noTag);
    return tag !== undefined && timingSafeEqual(tag, expected);
  };
  const normal = normalizePassword(password);
  // Older hashes are of the password before normalization. The time depends only on the input, not on the stored hash.
  const typed = normal === password ? false : await isIt(password);
  return (await isIt(normal)) || typed;
}

/** Costs and lengths that Argon2 does not have: no password has such a hash. @throws any other error */
function noTag(error: unknown): undefined {
  if (!(error instanceof RangeError)) throw error;
}

function unpadded(bytes: Buffer): string {
  return bytes.toString("base64").replace(/=+$/, "");
}

import * as v from "valibot";

/** In characters. NIST SP 800-63B: at least 8, no composition rules. */
export const minPasswordLength = 8;
/** In UTF-16 units, as typed: the limit keeps hashing cheap. */
export const maxPasswordLength = 256;

/**
 * The form in which a password is checked, hashed and compared: NFKC (NIST SP 800-63B recommends it or NFKD). Keyboards differ in
 * whether "é" is one character or two, and whether digits are full-width; to the person they are the same.
 */
export function normalizePassword(password: string): string {
  return password.normalize("NFKC");
}

/** The error of a new password, without the check against the list of common ones; undefined for none. */
export function passwordFlaw(password: string): "short" | "long" | "blank" | undefined {
  if (password.length > maxPasswordLength) return "long";
  const normal = normalizePassword(password);
  if ([...normal].length < minPasswordLength) return "short";
  // White space and invisible characters.
  return /^[\s\p{Z}\p{C}]*$/u.test(normal) ? "blank" : undefined;
}

/** A new password. The list of common ones is on the server (server/account/new-password.ts). */
export const Password = v.pipe(
  v.string(),
  v.check(
    (password) => passwordFlaw(password) === undefined,
    `A password has ${minPasswordLength} to ${maxPasswordLength} characters, not blanks alone.`,
  ),
);

const product = "parlance";
/** A shorter part between digits does not count as the person's name. */
const minCore = 3;

/**
 * Whether it is an obvious guess: the e-mail address, its local part, or the product's name; also surrounded by digits and
 * punctuation.
 */
export function isPersonalPassword(password: string, email: string): boolean {
  const plain = (text: string) => normalizePassword(text).trim().toLowerCase();
  const core = (text: string) => text.replace(/^[^\p{L}]+|[^\p{L}]+$/gu, "");
  const address = plain(email);
  const known = [address, address.slice(0, address.lastIndexOf("@")), product].filter((text) => text !== "");
  const typed = plain(password);
  if (known.includes(typed)) return true;
  return core(typed).length >= minCore && known.some((text) => core(text) === core(typed));
}

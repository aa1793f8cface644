import * as v from "valibot";

/** In characters. NIST SP 800-63B: at least 8, no composition rules. */
export const minPasswordLength = 8;
/** In UTF-16 units, as typed: the bound keeps hashing cheap. */
export const maxPasswordLength = 256;

/**
 * The form in which a password is judged, hashed and compared: NFKC (NIST SP 800-63B recommends it or NFKD). Keyboards differ in
 * whether "é" is one character or two, and whether digits are full-width; the person sees and means the same.
 */
export function normalizePassword(password: string): string {
  return password.normalize("NFKC");
}

/** What is wrong with a new password, as far as it can be said without the list of common ones; undefined when nothing is. */
export function passwordFlaw(password: string): "short" | "long" | "blank" | undefined {
  if (password.length > maxPasswordLength) return "long";
  const normal = normalizePassword(password);
  if ([...normal].length < minPasswordLength) return "short";
  // Blanks, and what can't be seen at all.
  return /^[\s\p{Z}\p{C}]*$/u.test(normal) ? "blank" : undefined;
}

/** A password that is to be set. The list of common ones is the server's (server/account/new-password.ts). */
export const Password = v.pipe(
  v.string(),
  v.check(
    (password) => passwordFlaw(password) === undefined,
    `A password has ${minPasswordLength} to ${maxPasswordLength} characters, not blanks alone.`,
  ),
);

const product = "parlance";
/** Shorter than this, what stands between digits is too little to be called the person's name. */
const minCore = 3;

/**
 * Whether it is what anybody would try first: the e-mail address, what stands before its @, or the product's name; also with nothing
 * but digits and signs around it.
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

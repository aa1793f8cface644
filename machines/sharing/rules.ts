import { type NewSharedLink, passwordFlaw, type SharedLinkChange } from "#contract/index.ts";

/** What a form says that could not be: an end that has passed, a passphrase of too few characters, too many, or blanks alone. */
export type SharingFlaw = "pastEnd" | "shortPassphrase" | "longPassphrase" | "blankPassphrase";

const flaws = { short: "shortPassphrase", long: "longPassphrase", blank: "blankPassphrase" } as const;

/** What is wrong with what a link is to be; null for nothing. @param now epoch ms: the server judges by its own clock */
export function flawOf(
  { expiresAt = null, passphrase = null }: NewSharedLink | SharedLinkChange,
  now: number,
): SharingFlaw | null {
  const flaw = passphrase === null ? undefined : passwordFlaw(passphrase);
  if (flaw !== undefined) return flaws[flaw];
  return expiresAt !== null && Date.parse(expiresAt) <= now ? "pastEnd" : null;
}

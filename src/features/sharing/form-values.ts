import type { SharedLink, SharedLinkChange } from "#contract/index.ts";

const textIn = (data: FormData, name: string): string => String(data.get(name) ?? "");

/** The end of the day that a form names, where the person is: ISO 8601; null for no day. */
export function endIn(data: FormData): string | null {
  const day = textIn(data, "day");
  const end = new Date(`${day}T23:59:59.999`);
  return day === "" || Number.isNaN(end.getTime()) ? null : end.toISOString();
}

/** The passphrase that a form gives; null for none. */
export const passphraseIn = (data: FormData): string | null => textIn(data, "passphrase") || null;

/** The day of a moment, where the person is: "2026-03-01". @param iso ISO 8601 */
export function dayOf(iso: string): string {
  // Swedish dates are ISO 8601's.
  return new Date(iso).toLocaleDateString("sv-SE");
}

/**
 * What the form of a link says. A day and a passphrase that are as they were are not sent: a link that has ended
 * keeps its end.
 */
export function changeIn(data: FormData, { expiresAt }: Pick<SharedLink, "expiresAt">): SharedLinkChange {
  const passphrase = data.has("unlocked") ? null : (passphraseIn(data) ?? undefined);
  const before = expiresAt === null ? "" : dayOf(expiresAt);
  return {
    name: textIn(data, "name"),
    ...(textIn(data, "day") !== before && { expiresAt: endIn(data) }),
    ...(passphrase !== undefined && { passphrase }),
  };
}

import type { SharedLink, SharedLinkChange } from "#contract/index.ts";

const textIn = (data: FormData, name: string): string => String(data.get(name) ?? "");

/** The end of the chosen day in the user's time zone, ISO 8601; null for no day. */
export function endIn(data: FormData): string | null {
  const day = textIn(data, "day");
  const end = new Date(`${day}T23:59:59.999`);
  return day === "" || Number.isNaN(end.getTime()) ? null : end.toISOString();
}

/** The typed passphrase; null for none. */
export const passphraseIn = (data: FormData): string | null => textIn(data, "passphrase") || null;

/** The day of a moment in the user's time zone: "2026-03-01". @param iso ISO 8601 */
export function dayOf(iso: string): string {
  // Sweden's date format equals ISO 8601.
  return new Date(iso).toLocaleDateString("sv-SE");
}

/** The changes in a link's form. An unchanged day or passphrase is not sent, so that an ended link keeps its end. */
export function changeIn(data: FormData, { expiresAt }: Pick<SharedLink, "expiresAt">): SharedLinkChange {
  const passphrase = data.has("unlocked") ? null : (passphraseIn(data) ?? undefined);
  const before = expiresAt === null ? "" : dayOf(expiresAt);
  return {
    name: textIn(data, "name"),
    ...(textIn(data, "day") !== before && { expiresAt: endIn(data) }),
    ...(passphrase !== undefined && { passphrase }),
  };
}

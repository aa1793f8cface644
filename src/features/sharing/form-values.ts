import type { SharedLink, SharedLinkChange } from "#contract/index.ts";

const textIn = (data: FormData, name: string): string => String(data.get(name) ?? "");

/** The end of a day, where the person is: ISO 8601; null for no day. @param day "2026-03-01" */
function endOf(day: string): string | null {
  const end = new Date(`${day}T23:59:59.999`);
  return day === "" || Number.isNaN(end.getTime()) ? null : end.toISOString();
}

/** The day of a moment, where the person is: "2026-03-01". @param iso ISO 8601 */
export function dayOf(iso: string): string {
  // Swedish dates are ISO 8601's.
  return new Date(iso).toLocaleDateString("sv-SE");
}

/**
 * What the form of a link says. A day and a passphrase that are as they were are not sent: a link that has ended
 * keeps its end.
 */
export function changeIn(data: FormData, link: Pick<SharedLink, "expiresAt">): SharedLinkChange {
  const day = textIn(data, "day");
  const passphrase = textIn(data, "passphrase");
  const before = link.expiresAt === null ? "" : dayOf(link.expiresAt);
  return {
    name: textIn(data, "name"),
    ...(day !== before && { expiresAt: endOf(day) }),
    ...(data.has("unlocked") ? { passphrase: null } : passphrase !== "" && { passphrase }),
  };
}

export const superuserEmail = "superuser@parlance.local";

/** The first superuser's addresses, which nobody may come to: not by registering, not by a change of address, not through a provider. */
export function isReserved(email: string): boolean {
  return /^superuser(-\d+)?@parlance\.local$/.test(email);
}

export const superuserEmail = "superuser@parlance.local";

/** The first superuser's addresses; refused in registrations, changes of address and federated sign-ins. */
export function isReserved(email: string): boolean {
  return /^superuser(-\d+)?@parlance\.local$/.test(email);
}

import { storage } from "./storage.ts";
import { isTryLeft, tryOutKey } from "./try-left.ts";

// Decides who owns a recording made without an account, because another person may use this browser next. It moves into
// an account without asking only if the account was created in the recording's tab, or for the email address entered
// there. The tab's storage holds "said", then "signUp". Local storage holds that address, because the link in the email
// opens another tab.

const tab = {
  read: () => attempt(() => sessionStorage.getItem(tryOutKey)),
  write: (value: "said" | "signUp") => attempt(() => sessionStorage.setItem(tryOutKey, value)),
};

/** Called when a recording was made in this tab, or the visitor of this tab wants to keep it. */
export function noteSaid(): void {
  tab.write("said");
}

/** Called when one of the two pages opens in this tab. "signIn" resets the claim, because the account may be shared. */
export function noteEntered(page: "signUp" | "signIn"): void {
  if (tab.read() !== null) tab.write(page === "signUp" ? "signUp" : "said");
}

/** Called when an account was created for this address. */
export function noteRegistered(email: string): void {
  if (tab.read() !== null && isTryLeft()) storage.write(tryOutKey, email.toLowerCase());
}

/** Whether the recording moves into this user's account without asking. @param email the account's address */
export const isSameUser = (email: string): boolean =>
  isTryLeft() && (tab.read() === "signUp" || storage.read(tryOutKey) === email.toLowerCase());

/** Called when the recording was discarded or moved. */
export function clearClaim(): void {
  storage.remove(tryOutKey);
  attempt(() => sessionStorage.removeItem(tryOutKey));
}

/** A browser may forbid this storage. */
function attempt<T>(work: () => T): T | null {
  try {
    return work();
  } catch {
    return null;
  }
}

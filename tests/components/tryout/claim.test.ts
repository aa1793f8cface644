import { afterEach, expect, test } from "vitest";
import { clearClaim, isSameUser, noteEntered, noteRegistered, noteSaid } from "#src/browser/try-claim.ts";
import { tryOutKey } from "#src/browser/try-left.ts";

afterEach(clearClaim);

/** Somebody has said something in this tab. */
function say(): void {
  localStorage.setItem(tryOutKey, "1");
  noteSaid();
}

test("words spoken without an account belong to the one that is created in the same tab, and to none that somebody signs in to there", () => {
  say();
  expect(isSameUser("ada@example.org")).toBe(false);
  noteEntered("signUp");
  expect(isSameUser("ada@example.org")).toBe(true);
  noteEntered("signIn");
  expect(isSameUser("ada@example.org")).toBe(false);
});

test("words spoken without an account belong to the address typed in the same tab alone, though it is confirmed in another", () => {
  say();
  noteEntered("signUp");
  noteRegistered("Ada@example.org");
  sessionStorage.clear();
  noteEntered("signIn");
  expect([isSameUser("ada@example.org"), isSameUser("bob@example.org")]).toEqual([true, false]);
});

test("what somebody else has said in another tab belongs to nobody who creates an account here", () => {
  localStorage.setItem(tryOutKey, "1");
  noteEntered("signUp");
  noteRegistered("bob@example.org");
  expect(isSameUser("bob@example.org")).toBe(false);
});

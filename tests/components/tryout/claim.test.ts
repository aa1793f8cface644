import { afterEach, expect, test } from "vitest";
import { clearClaim, isSameUser, noteEntered, noteRegistered, noteSaid } from "#src/browser/try-claim.ts";
import { tryOutKey } from "#src/browser/try-left.ts";

afterEach(clearClaim);

/** Records something in this tab without an account. */
function say(): void {
  localStorage.setItem(tryOutKey, "1");
  noteSaid();
}

test("assigns a try-out to the account created in the same tab, but not to a sign-in there", () => {
  say();
  expect(isSameUser("ada@example.org")).toBe(false);
  noteEntered("signUp");
  expect(isSameUser("ada@example.org")).toBe(true);
  noteEntered("signIn");
  expect(isSameUser("ada@example.org")).toBe(false);
});

test("assigns a try-out to the address registered in the same tab, even if another tab confirms it", () => {
  say();
  noteEntered("signUp");
  noteRegistered("Ada@example.org");
  sessionStorage.clear();
  noteEntered("signIn");
  expect([isSameUser("ada@example.org"), isSameUser("bob@example.org")]).toEqual([true, false]);
});

test("an account created in one tab does not get the try-out of another tab", () => {
  localStorage.setItem(tryOutKey, "1");
  noteEntered("signUp");
  noteRegistered("bob@example.org");
  expect(isSameUser("bob@example.org")).toBe(false);
});

import { expect } from "vitest";
import { answer, openPage } from "#tests/components/harness.ts";
import { makeToken } from "#tests/fixtures/token.ts";

/**
 * Renews the token once. After three failures the page stops asking for a while; a success resets this for the next
 * test.
 */
export async function renewOnce(): Promise<void> {
  const seconds = Math.floor(Date.now() / 1000);
  const accessToken = makeToken({ sub: "ada", iat: seconds, exp: seconds + 900 });
  answer({ "POST /auth/refresh": { accessToken } });
  await openPage("/feedback", { endsIn: -60 });
  await expect.poll(() => localStorage.getItem("jwtToken")).toBe(accessToken);
}

import type { Page } from "playwright";
import { test } from "vitest";
import { expect, openPage, openSignedIn, sharedParlance } from "#tests/browser/harness.ts";
import { ownConnection } from "#tests/browser/harness-account.ts";
import { screenshots } from "#tests/browser/harness-screenshots.ts";

// The main path of access tokens, which takes long in a browser. Their rules: tests/server/personal-tokens/.

const shared = sharedParlance({ acrossFiles: true });
const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const card = (page: Page) => page.getByRole("region", { name: "Access tokens", exact: true });

test("creates a token with the password, shows it once, lets a program use it, and revokes it", {
  tags: "quick",
}, async () => {
  await using visit = await openPage(shared.browser);
  const { page } = visit;
  const { password } = await openSignedIn(page, shared.server, "/settings/developer");
  await card(page).getByText("You have no access tokens.").waitFor();
  await button(page, "New token…").click();
  const form = page.getByRole("form", { name: "New access token" });
  await form.getByLabel("Name").fill("Nightly import");
  await form.getByLabel("Read your profile and usage").check();
  await form.getByLabel("Expires after").selectOption("7 days");
  await screenshots(page, "tokens-form");
  await form.getByLabel("Current password").fill(password);
  await button(page, "Create token").click();

  const shown = page.getByTestId("new-token");
  await expect(shown).toHaveText(/^parlance_[\da-f]{16}_[\w-]{43}$/);
  await expect(shown).toBeInViewport();
  await screenshots(page, "tokens-secret");
  const token = (await shown.textContent()) ?? "";
  const asProgram = () =>
    page.request.get(`${shared.server.apiUrl}/users/me`, {
      headers: { ...ownConnection, Authorization: `Bearer ${token}` },
    });
  expect((await asProgram()).status()).toBe(200);
  await button(page, "Done").click();
  await expect(shown).toHaveCount(0);
  await card(page)
    .getByText(/^Last used: /)
    .waitFor();
  await screenshots(page, "tokens-list");
  expect(await page.content()).not.toContain(token);

  await button(page, "Revoke Nightly import").click();
  await page.getByRole("dialog", { name: "Revoke Nightly import?" }).getByRole("button", { name: "Revoke" }).click();
  await card(page).getByText("You have no access tokens.").waitFor();
  expect((await asProgram()).status()).toBe(401);
});

import type { Page } from "playwright";
import { test } from "vitest";
import { expect, openPage, openSignedIn, sharedParlance } from "#tests/browser/harness.ts";
import { ownConnection } from "#tests/browser/harness-account.ts";
import { screenshots } from "#tests/browser/harness-screenshots.ts";

// The main path of tokens takes long in a browser; their rules: tests/server/personal-tokens/.

const shared = sharedParlance({ acrossFiles: true });
const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const card = (page: Page) => page.getByRole("region", { name: "Access tokens", exact: true });

test("a token is made with the password, shown once, used by a program, seen to be used, and revoked", {
  tags: "quick",
}, async () => {
  await using visit = await openPage(shared.browser);
  const { page } = visit;
  const { password } = await openSignedIn(page, shared.server, "/settings/developer");
  await card(page).getByText("You have no access token.").waitFor();
  await button(page, "New token…").click();
  const form = page.getByRole("form", { name: "New access token" });
  await form.getByLabel("What it is for").fill("Nightly import");
  await form.getByLabel("Read your profile and how much you have used").check();
  await form.getByLabel("It ends after").selectOption("7 days");
  await screenshots(page, "tokens-form");
  await form.getByLabel("Your present password").fill(password);
  await button(page, "Make the token").click();

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
  await button(page, "I have kept it").click();
  await expect(shown).toHaveCount(0);
  await card(page)
    .getByText(/^Last used: /)
    .waitFor();
  await screenshots(page, "tokens-list");
  expect(await page.content()).not.toContain(token);

  await button(page, "Revoke Nightly import").click();
  await page.getByRole("dialog", { name: "Revoke Nightly import?" }).getByRole("button", { name: "Revoke" }).click();
  await card(page).getByText("You have no access token.").waitFor();
  expect((await asProgram()).status()).toBe(401);
});

import { generate } from "otplib";
import type { Page } from "playwright";
import { test } from "vitest";
import { expect, openPage, sharedPage, sharedParlance } from "#tests/browser/harness.ts";
import { violations } from "#tests/browser/harness-axe.ts";
import { screenshots } from "#tests/browser/harness-screenshots.ts";

const shared = sharedParlance();
const pages = sharedPage(shared);
const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const stepMs = 30_000;

test("turns on two-step sign-in, requires it at the next sign-in, and accepts a recovery code once", async () => {
  const { page, person } = await pages.begin("/settings#second-factor");
  const card = page.getByRole("region", { name: "Two-step sign-in", exact: true });
  await button(page, "Turn on…").click();
  const password = card.getByLabel("Current password");
  await password.fill(person.password);
  await password.press("Enter");
  await card.getByRole("img", { name: /^QR code/ }).waitFor();
  const secret = (await card.getByTestId("secret").textContent())?.replaceAll(" ", "") ?? "";
  const code = card.getByLabel("Code", { exact: true });
  expect(await violations(page)).toEqual([]);
  await screenshots(page, "second-factor-set-up", { fullPage: true });
  await code.fill(await generate({ secret }));
  await code.press("Enter");
  const codes = ((await card.getByTestId("recovery-codes").textContent()) ?? "").split("\n");
  expect(codes).toHaveLength(10);
  await screenshots(page, "second-factor-codes", { fullPage: true });
  await button(page, "Done").click();
  await card.getByText("10 recovery codes left.").waitFor();

  // In another browser the password alone is not enough, and a reload keeps the pending sign-in.
  await using other = await openPage(shared.browser, { expected: [/403/, /401/] });
  const signIn = async (page: Page) => {
    await page.goto(shared.at("/signin"));
    await page.getByLabel("E-mail").fill(person.email);
    await page.getByLabel("Password", { exact: true }).fill(person.password);
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    await page.getByRole("heading", { name: "One more step", level: 1 }).waitFor();
  };
  await signIn(other.page);
  expect(new URL(other.page.url()).pathname).toBe("/second-step");
  expect(await other.page.evaluate(() => localStorage.getItem("jwtToken"))).toBeNull();
  await other.page.reload();
  const typed = other.page.getByLabel("Code", { exact: true });
  await expect(typed).toBeFocused();
  await screenshots(other.page, "second-step");
  await button(other.page, "Use a recovery code").click();
  const recovery = other.page.getByLabel("Recovery code", { exact: true });
  await recovery.fill(codes[0] ?? "");
  await recovery.press("Enter");
  await other.page.getByRole("heading", { name: "Dashboard", level: 1 }).waitFor();

  await page.reload();
  await card.getByText("9 recovery codes left.").waitFor();
  await button(page, "Turn off…").click();
  await card.getByLabel("Current password").fill(person.password);
  await card
    .getByLabel("Code from the app, or a recovery code")
    .fill(await generate({ secret, epoch: (Date.now() + stepMs) / 1000 }));
  await button(page, "Turn off").click();
  await page.getByRole("status").getByText("Two-step sign-in is off.").waitFor();
  // The change ends all other sessions: the other browser's event stream closes, which tells its page.
  await other.page.waitForURL("**/signin");
});

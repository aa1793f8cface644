import { test } from "vitest";
import { expect, openPage, screenshots, sharedParlance } from "#tests/browser/harness.ts";
import { violations } from "#tests/browser/harness-axe.ts";
import { fixture } from "#tests/browser/harness-files.ts";
import { button, choose, listed, openVault } from "#tests/browser/harness-vault.ts";

const shared = sharedParlance({ acrossFiles: true });

test("shares a vault's recording by a link without sending its key to the server", async () => {
  const { browser, server } = shared;
  await using visit = await openPage(browser);
  const { page } = visit;
  await openVault(page, server);
  await page.locator("input[type=file]").first().setInputFiles(fixture("tone.wav"));
  await listed(page).waitFor();
  await choose(listed(page), "Share a link…");
  await button(page, "New link…").click();
  await page.getByLabel("Audio", { exact: true }).uncheck();
  await button(page, "Create link").click();
  await page.getByText("Choose audio, transcript, or both").waitFor();
  await page.getByLabel("Audio", { exact: true }).check();
  await page.getByLabel("Passphrase", { exact: true }).fill("seventeen green boats");
  expect(await violations(page)).toEqual([]);
  await screenshots(page, "vault-link-form");
  await button(page, "Create link").click();
  const shown = page.getByTestId("new-address");
  await expect(shown).toHaveText(/\/shared-recording#[\da-f]{16}\.[\w-]{43}\.[\w-]{43}$/);
  const address = (await shown.textContent()) ?? "";
  const key = address.split(".").at(-1) ?? "";
  await button(page, "Done").click();
  await page.getByText("Opened 0 times").waitFor();

  await using guest = await openPage(browser, { expected: [/404 \(Not Found\).*\/shared-recordings\//] });
  const { page: visitor } = guest;
  const sent: string[] = [];
  visitor.on("request", (request) => {
    sent.push(`${request.url()} ${request.postData() ?? ""} ${JSON.stringify(request.headers())}`);
  });
  // For an incomplete link the page says what is missing, and sends no request.
  await visitor.goto(address.slice(0, -3));
  await visitor.getByRole("heading", { name: "This link is incomplete" }).waitFor();
  await visitor.goto(address);
  await visitor.getByLabel("Passphrase", { exact: true }).fill("seventeen green boots");
  await visitor.keyboard.press("Enter");
  await visitor.getByText("This didn’t work.").waitFor();
  await visitor.getByLabel("Passphrase", { exact: true }).fill("seventeen green boats");
  await visitor.keyboard.press("Enter");
  await visitor.getByRole("heading", { name: "tone" }).waitFor();
  await button(visitor, "Download and play").click();
  await expect.poll(() => visitor.getByRole("slider").inputValue().then(Number)).toBeGreaterThan(0.2);
  await screenshots(visitor, "vault-link-shown");
  expect(await violations(visitor)).toEqual([]);
  expect(visitor.url()).toBe(address);
  expect(sent.length).toBeGreaterThan(3);
  expect(sent.filter((text) => text.includes(key) || /authorization/i.test(text))).toEqual([]);

  await page.getByRole("button", { name: /^Revoke the link/ }).click();
  await button(page, "Revoke").last().click();
  await page.getByText("This recording has no links.").waitFor();
  await visitor.reload();
  await visitor.getByRole("heading", { name: "This link doesn’t work" }).waitFor();
});

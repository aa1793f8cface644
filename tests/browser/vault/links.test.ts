import { test } from "vitest";
import { expect, openPage, screenshots, sharedParlance } from "#tests/browser/harness.ts";
import { violations } from "#tests/browser/harness-axe.ts";
import { fixture } from "#tests/browser/harness-files.ts";
import { button, choose, listed, openVault } from "#tests/browser/harness-vault.ts";

const shared = sharedParlance({ acrossFiles: true });

test("a recording of the vault is shared by a link whose key no server is sent, heard by a visitor, and revoked", async () => {
  const { browser, server } = shared;
  await using visit = await openPage(browser);
  const { page } = visit;
  await openVault(page, server);
  await page.locator("input[type=file]").first().setInputFiles(fixture("tone.wav"));
  await listed(page).waitFor();
  await choose(listed(page), "Share a link…");
  await button(page, "New link…").click();
  await page.getByLabel("The sound").uncheck();
  await button(page, "Make the link").click();
  await page.getByText("Choose what the link shows").waitFor();
  await page.getByLabel("The sound").check();
  await page.getByLabel("Passphrase", { exact: true }).fill("seventeen green boats");
  expect(await violations(page)).toEqual([]);
  await screenshots(page, "vault-link-form");
  await button(page, "Make the link").click();
  const shown = page.getByTestId("new-address");
  await expect(shown).toHaveText(/\/shared-recording#[\da-f]{16}\.[\w-]{43}\.[\w-]{43}$/);
  const address = (await shown.textContent()) ?? "";
  const key = address.split(".").at(-1) ?? "";
  await button(page, "I have kept it").click();
  await page.getByText("Opened 0 times").waitFor();

  await using guest = await openPage(browser, { expected: [/404 \(Not Found\).*\/shared-recordings\//] });
  const { page: visitor } = guest;
  const sent: string[] = [];
  visitor.on("request", (request) => {
    sent.push(`${request.url()} ${request.postData() ?? ""} ${JSON.stringify(request.headers())}`);
  });
  // Cut off: it is said what is missing, and nothing is asked for.
  await visitor.goto(address.slice(0, -3));
  await visitor.getByRole("heading", { name: "This link is not whole" }).waitFor();
  await visitor.goto(address);
  await visitor.getByLabel("Passphrase").fill("seventeen green boots");
  await visitor.keyboard.press("Enter");
  await visitor.getByText("This does not open it.").waitFor();
  await visitor.getByLabel("Passphrase").fill("seventeen green boats");
  await visitor.keyboard.press("Enter");
  await visitor.getByRole("heading", { name: "tone" }).waitFor();
  await button(visitor, "Fetch and play").click();
  await expect.poll(() => visitor.getByRole("slider").inputValue().then(Number)).toBeGreaterThan(0.2);
  await screenshots(visitor, "vault-link-shown");
  expect(await violations(visitor)).toEqual([]);
  expect(visitor.url()).toBe(address);
  expect(sent.length).toBeGreaterThan(3);
  expect(sent.filter((text) => text.includes(key) || /authorization/i.test(text))).toEqual([]);

  await page.getByRole("button", { name: /^Revoke the link/ }).click();
  await button(page, "Revoke").last().click();
  await page.getByText("There is no link to this recording.").waitFor();
  await visitor.reload();
  await visitor.getByRole("heading", { name: "There is nothing at this link" }).waitFor();
});

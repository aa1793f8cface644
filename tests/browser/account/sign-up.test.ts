import { test } from "vitest";
import { expect, openPage, sharedParlance } from "#tests/browser/harness.ts";

const shared = sharedParlance({ acrossFiles: true });

test("keeps the sign-up button in place while the page loads the rest", async () => {
  await using visit = await openPage(shared.browser);
  const { page } = visit;
  const asked = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  await page.route(/password-strength.*\.js$/, async (route) => {
    asked.resolve();
    await released.promise;
    await route.continue();
  });
  await page.goto(shared.at("/signup"));
  const button = page.locator("button[type=submit]");
  await Promise.all([button.waitFor(), asked.promise]);
  const before = await button.boundingBox();
  released.resolve();
  await page.locator("form [aria-hidden=true] > span").first().waitFor();
  expect(await button.boundingBox()).toEqual(before);
});

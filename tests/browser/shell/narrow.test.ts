import { test } from "vitest";
import { enter, expect, openPage, sharedParlance } from "#tests/browser/harness.ts";
import { signInRoutes, specifiedRoutes } from "#tests/browser/harness-routes.ts";

const shared = sharedParlance();

test("no page of a signed-in person scrolls sideways on a telephone", async () => {
  const context = { viewport: { width: 390, height: 844 } };
  await using visit = await openPage(shared.browser, { expected: [/404 \(Not Found\)/], context });
  const { page } = visit;
  await enter(page, shared.server);
  const all = [...specifiedRoutes.everyone, ...specifiedRoutes.signedIn];
  const routes = all.filter((route) => !route.includes("{") && !signInRoutes.includes(route));
  const wide: string[] = [];
  for (const route of routes) {
    await page.goto(shared.at(route));
    await page.locator("h1").first().waitFor();
    // What is kept on the server is shown when it is known.
    if (route === "/settings") await page.getByRole("meter").waitFor({ state: "attached" });
    if (await page.evaluate(() => document.documentElement.scrollWidth > innerWidth)) wide.push(route);
  }
  expect(wide).toEqual([]);
});

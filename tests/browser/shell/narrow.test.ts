import { test } from "vitest";
import { enter, enterAsSuperuser, expect, openPage, sharedParlance } from "#tests/browser/harness.ts";
import { ownRoutes, signInRoutes, specifiedRoutes } from "#tests/browser/harness-routes.ts";
import { subscribe } from "#tests/browser/harness-usage.ts";

const shared = sharedParlance();

test("no page of a signed-in person scrolls sideways on a telephone", async () => {
  const context = { viewport: { width: 390, height: 844 } };
  await using visit = await openPage(shared.browser, { expected: [/404 \(Not Found\)/, /410 \(Gone\)/], context });
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
  // The words of German are longer.
  const { email } = await enterAsSuperuser(page, shared.server);
  subscribe(shared.server, email);
  const others = [
    ...ownRoutes.everyone,
    ...[...specifiedRoutes.subscribed, ...ownRoutes.signedIn],
    ...[...specifiedRoutes.superuser, ...ownRoutes.superuser],
  ];
  // The administration of the blog is the same under both of its addresses.
  for (const route of others.filter((route) => !route.includes("{") && !route.startsWith("/blog"))) {
    await page.goto(shared.at(`${route}?lng=de`));
    await page.locator("h1").first().waitFor();
    if (await page.evaluate(() => document.documentElement.scrollWidth > innerWidth)) wide.push(route);
  }
  expect(wide).toEqual([]);
});

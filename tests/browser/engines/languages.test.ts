import type { Page, Route } from "playwright-core";
import { test } from "vitest";
import { builtInLanguages } from "#contract/built-in-languages.ts";
import { expect, openPage, sharedParlance } from "#tests/browser/harness.ts";

const shared = sharedParlance({ acrossFiles: true });
const all = builtInLanguages.length;

const rowOf = (page: Page, path: string) =>
  page.getByTestId("call").filter({ has: page.getByText(`GET ${path}`, { exact: true }) });
const inState = (page: Page, state: string) => page.locator(`[data-testid=call][data-state=${state}]`);
const verdict = (page: Page, text: string) => page.getByRole("status").filter({ hasText: text }).waitFor();

/** Answers the calls of the API instead of the server. */
async function script(page: Page, answers: Record<string, (route: Route) => Promise<void>>): Promise<void> {
  for (const [path, answer] of Object.entries(answers)) await page.route(`${shared.server.apiUrl}${path}`, answer);
}

test("shows the health check and the four language calls of this server, and which one is used", async () => {
  await using visit = await openPage(shared.browser);
  const { page } = visit;
  await page.goto(shared.at("/debug/languages"));
  await verdict(page, `The product uses GET /languages/codes: ${all} languages.`);
  await expect(inState(page, "works")).toHaveCount(5);
  const paths = ["/", "/languages/codes", "/languages/supported", "/languages/grouped", "/languages"];
  await expect(page.getByTestId("call").locator("h2 code")).toHaveText(paths.map((path) => `GET ${path}`));
  for (const [path, shape] of [
    ["/languages/codes", "an array"],
    ["/languages/supported", "a list under “supportedLanguages”"],
    ["/languages/grouped", "a list under “languages”"],
  ] as const) {
    const row = rowOf(page, path);
    await row.getByText("Status 200").waitFor();
    await row.getByText(/^\d+ ms$/).waitFor();
    await row.getByText(`${all} languages accepted (${shape})`).waitFor();
  }
  const health = rowOf(page, "/");
  await health.getByText("The answer as it came").click();
  await health.getByText('{"name":"Parlance","status":"ok"}').waitFor();
  const offered = page.getByRole("region", { name: "What people can choose from" });
  await expect(offered.getByRole("listitem")).toHaveCount(all);
  for (const name of ["Cymraeg", "简体中文", "繁體中文", "isiZulu"]) await offered.getByText(name, { exact: true }).waitFor();
});

test("shows each call that fails, what is taken from the first that does not, and asks again", async () => {
  await using visit = await openPage(shared.browser, { expected: [/503/] });
  const { page } = visit;
  const welsh = { code: "cy", name: "Welsh", nativeName: "Cymraeg" };
  const held = Promise.withResolvers<void>();
  await script(page, {
    "/languages/codes": (route) => route.fulfill({ status: 503, json: { message: "Come back later." } }),
    "/languages/supported": (route) => route.fulfill({ body: "<h1>Welcome</h1>" }),
    "/languages/grouped": (route) => route.fulfill({ json: { languages: [] } }),
    "/languages": async (route) => {
      await held.promise;
      await route.fulfill({ json: { data: [welsh, { code: "xx" }, null] } });
    },
  });
  await page.goto(shared.at("/debug/languages"));
  await verdict(page, "Asking GET /languages…");
  await expect(inState(page, "asked")).toHaveCount(1);
  await expect(inState(page, "fails")).toHaveCount(3);
  held.resolve();
  await verdict(page, "The product uses GET /languages: 1 language.");
  await rowOf(page, "/languages").getByText("1 language accepted (a list under “data”)").waitFor();
  await rowOf(page, "/languages").getByText("2 entries left out").waitFor();
  await rowOf(page, "/languages/codes").getByText("Status 503").waitFor();
  await rowOf(page, "/languages/codes").getByText("The answer as it came").click();
  await page.getByText('{"message":"Come back later."}').waitFor();
  for (const path of ["/languages/supported", "/languages/grouped"]) {
    await rowOf(page, path).getByText("No languages in the answer").waitFor();
  }
  await page.unrouteAll();
  await page.getByRole("button", { name: "Run again" }).click();
  await verdict(page, `The product uses GET /languages/codes: ${all} languages.`);
  await expect(inState(page, "works")).toHaveCount(5);
});

test("shows that the built-in list is used when no call works", async () => {
  await using visit = await openPage(shared.browser, { expected: [/404|ERR_FAILED/] });
  const { page } = visit;
  await script(page, {
    "/": (route) => route.abort(),
    "/languages/*": (route) => route.abort(),
    "/languages": (route) => route.fulfill({ status: 404, json: { message: "no" } }),
  });
  await page.goto(shared.at("/debug/languages"));
  await verdict(page, `the product uses the ${all} languages that are built in`);
  await expect(inState(page, "fails")).toHaveCount(5);
  await rowOf(page, "/").getByText("No answer").waitFor();
  await rowOf(page, "/").getByText("Cannot connect to server.").waitFor();
  await expect(page.getByRole("region").getByRole("listitem")).toHaveCount(all);
});

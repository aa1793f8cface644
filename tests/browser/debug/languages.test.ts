import type { Page } from "playwright";
import { test } from "vitest";
import { builtInLanguages } from "#contract/built-in-languages.ts";
import { expect, openPage, sharedParlance } from "#tests/browser/harness.ts";

const shared = sharedParlance({ acrossFiles: true });
const all = builtInLanguages.length;

const rowOf = (page: Page, path: string) =>
  page.getByTestId("call").filter({ has: page.getByText(`GET ${path}`, { exact: true }) });
const inState = (page: Page, state: string) => page.locator(`[data-testid=call][data-state=${state}]`);
const verdict = (page: Page, text: string) => page.getByRole("status").filter({ hasText: text }).waitFor();

// SPEC 2 Public routes: "a tester that runs the health and language endpoint calls and shows the results"
// SPEC 7 Languages and health: "GET / is a backend health check."
test("shows the health check and the server's language calls, and names the one in use", async () => {
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
  await health.getByText("Raw answer").click();
  await health.getByText('{"name":"Parlance","status":"ok"}').waitFor();
  const offered = page.getByRole("region", { name: "Languages that people can choose" });
  await expect(offered.getByRole("listitem")).toHaveCount(all);
  for (const name of ["Cymraeg", "简体中文", "繁體中文", "isiZulu"]) await offered.getByText(name, { exact: true }).waitFor();
});

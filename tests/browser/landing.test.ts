import { expect, test } from "vitest";
import { openBrowser, openPage, startParlance } from "./harness.ts";

test("the landing page writes down a recording while it plays, without an account", async () => {
  await using browser = await openBrowser();
  await using server = await startParlance();
  await using visit = await openPage(browser);
  const { page } = visit;
  await page.goto(server.url);
  const figure = page.getByRole("figure");
  await figure.getByRole("button", { name: "Play it" }).click();
  await figure.getByRole("button", { name: "Pause" }).waitFor();
  // What has not been said yet is not to be seen.
  await figure.getByText("everyone", { exact: true }).waitFor({ state: "visible" });
  expect(await figure.getByText("happen", { exact: true }).isVisible()).toBe(false);
  await figure.getByText("Nadie supo lo que pasaría luego").waitFor({ state: "visible" });
  await figure.getByRole("button", { name: "Play it again" }).waitFor();
});

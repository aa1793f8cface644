import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "vitest";
import { enter, expect, openPage, sharedParlance } from "#tests/browser/harness.ts";

const shared = sharedParlance({ acrossFiles: true });

function stored(table: "inbox" | "waitlist", email: string) {
  using db = new DatabaseSync(join(shared.server.dataDir, "parlance.db"), { readOnly: true, timeout: 10_000 });
  return db.prepare(`select * from ${table} where email = ?`).all(email);
}

test("keeps feedback over a reload and a server failure, and delivers it once", { tags: "quick" }, async () => {
  await using visit = await openPage(shared.browser, { expected: [/500/] });
  const { page } = visit;
  const { email } = await enter(page, shared.server);
  await page.goto(shared.at("/feedback"));
  await page.getByRole("button", { name: "Send feedback" }).click();
  await page.getByText("Enter a message.").waitFor();
  await expect(page.getByLabel("Your message")).toBeFocused();
  await page.getByRole("radio", { name: "4" }).check();
  await page.getByLabel("Your message").fill("The captions are fast.");
  await page.reload();
  await expect(page.getByLabel("Your message")).toHaveValue("The captions are fast.");
  await expect(page.getByRole("radio", { name: "4" })).toBeChecked();
  await page.route("**/feedback", (route) =>
    route.request().method() === "POST" ? route.fulfill({ status: 500 }) : route.continue(),
  );
  await page.getByRole("button", { name: "Send feedback" }).click();
  await page.getByRole("alert").waitFor();
  await page.unroute("**/feedback");
  await page.getByRole("button", { name: "Send feedback" }).click();
  await page.getByText("Thank you for your feedback!").waitFor();
  expect(stored("inbox", email)).toMatchObject([{ kind: "feedback", rating: 4, text: "The captions are fast." }]);
  await page.goto(shared.at("/feedback"));
  await expect(page.getByLabel("Your message")).toHaveValue("");
});

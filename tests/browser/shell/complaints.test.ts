import { test } from "vitest";
import { expect, openPage, sharedParlance } from "#tests/browser/harness.ts";

const shared = sharedParlance({ acrossFiles: true });

test("reports each uncaught error with its text, whatever was thrown", async () => {
  await using visit = await openPage(shared.browser);
  const { page } = visit;
  await page.goto(shared.at("/robots.txt"));
  const told: string[] = [];
  await page.evaluate(() => {
    const later = (what: () => unknown) => setTimeout(what);
    later(() => {
      throw "a word";
    });
    later(() => void Promise.reject(new DOMException("It is gone.", "AbortError")));
    later(() => {
      throw new Error("a mistake");
    });
  });
  await expect.poll(() => told.push(...visit.takeUnexpected())).toBe(3);
  expect(told.map((complaint) => complaint.split("\n")[0]).toSorted()).toEqual([
    ...["Uncaught AbortError: It is gone.", "Uncaught Error: a mistake", "Uncaught a word"],
  ]);
});

test("ignores refused requests that were pending at the logout, but reports later ones", async () => {
  await using visit = await openPage(shared.browser);
  const { page } = visit;
  await page.goto(shared.at("/robots.txt"));
  const isAsked = Promise.withResolvers<void>();
  const isOut = Promise.withResolvers<void>();
  await page.route("**/auth/logout", async (route) => {
    await isAsked.promise;
    await route.fulfill({ status: 204 });
    isOut.resolve();
  });
  await page.route("**/asked-*", async (route) => {
    isAsked.resolve();
    await isOut.promise;
    await route.fulfill({ status: 401 });
  });
  const isOver = page.waitForEvent("requestfinished", (request) => request.url().endsWith("/auth/logout"));
  await page.evaluate(async () => {
    const before = fetch("/asked-before");
    await fetch("/auth/logout", { method: "POST" });
    await before;
  });
  // An earlier request of the page may be reported before the end of the logout.
  await isOver;
  await page.evaluate(() => fetch("/asked-afterwards"));
  const told: string[] = [];
  const tell = () => {
    told.push(...visit.takeUnexpected());
    return told;
  };
  await expect.poll(tell).toEqual([expect.stringContaining("/asked-afterwards")]);
});

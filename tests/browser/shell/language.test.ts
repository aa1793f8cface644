import type { BrowserContextOptions, Page } from "playwright";
import { describe, test } from "vitest";
import { expect, openPage, sharedParlance } from "#tests/browser/harness.ts";

// SPEC.md section 4, "Language choice"; section 7, "Translation files".

const minute = 60;
const shared = sharedParlance({ acrossFiles: true });

const { at } = shared;
/** The page's language from its `lang`, after its heading has appeared. */
async function languageOf(page: Page): Promise<string | null> {
  await page.locator("h1").first().waitFor();
  return page.locator("html").getAttribute("lang");
}
const german: BrowserContextOptions = { locale: "de-AT" };

describe("the interface language", () => {
  // SPEC 4 Other: "detection order is the query parameter lng, then cookie, then local storage"
  // SPEC 4 Other: "in a cookie for 160 minutes, with the cookie set on the current host name"
  // SPEC 9: "Language cache"
  test("takes the language from address, cookie, storage and browser, in this order, and stores it for 160 minutes", {
    tags: "quick",
  }, async () => {
    await using visit = await openPage(shared.browser, { context: german });
    const { page } = visit;
    const cookie = async () => (await page.context().cookies()).find(({ name }) => name === "i18next");
    const stored = () => page.evaluate(() => localStorage.getItem("i18nextLng"));
    await page.goto(at("/terms"));
    await expect.poll(() => languageOf(page)).toBe("de");
    await page.context().clearCookies();
    await page.evaluate(() => localStorage.setItem("i18nextLng", "nl"));
    await page.reload();
    await expect.poll(() => languageOf(page)).toBe("nl");
    await page.context().addCookies([{ name: "i18next", value: "fr", domain: new URL(shared.server.url).hostname, path: "/" }]);
    await page.reload();
    await expect.poll(() => languageOf(page)).toBe("fr");
    await expect.poll(() => stored()).toBe("fr");
    await page.goto(at("/terms?lng=da"));
    await expect.poll(() => languageOf(page)).toBe("da");
    await page.getByRole("heading", { name: "Vilkår" }).waitFor();
    expect([(await cookie())?.value, await stored()]).toEqual(["da", "da"]);

    await page.getByRole("combobox", { name: "Sprog" }).selectOption("pt-BR");
    await page.waitForFunction(() => document.documentElement.lang === "pt-BR");
    expect([(await cookie())?.value, await stored()]).toEqual(["pt-BR", "pt-BR"]);
    const { domain, expires = 0 } = (await cookie()) ?? {};
    expect(domain?.replace(/^\./, "")).toBe(new URL(shared.server.url).hostname);
    expect(Math.abs(expires - (Date.now() / 1000 + 160 * minute))).toBeLessThan(minute);
  });

  test("keeps the HTML's language while the texts can't be loaded, and hydrates the page when they arrive", async () => {
    await using visit = await openPage(shared.browser, { context: german, expected: [/503/] });
    const { page } = visit;
    let asked = 0;
    await page.route("**/locales/de/translation.json", (route) => {
      asked += 1;
      return asked > 3 ? route.continue() : route.fulfill({ status: 503 });
    });
    await page.goto(at("/terms"));
    await page.getByRole("heading", { name: "Nutzungsbedingungen", level: 1 }).waitFor();
    await page.locator("html:not([data-page])").waitFor({ state: "attached" });
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Nutzungsbedingungen");
    await expect(page.locator("html")).toHaveAttribute("lang", "de");
    expect(asked).toBe(4);
  });
});

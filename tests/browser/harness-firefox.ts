import { type ElementHandle, launch, type Page, ProtocolError } from "puppeteer-core";
import { findFirefox, installCommand } from "#scripts/tools.mjs";
import { isPressable, type Place, type Tab, until } from "./harness-tab.ts";

/** Of a person who allows the microphone, and is not asked about anything else. */
const preferences = {
  "media.navigator.permission.disabled": true,
  "ui.prefersReducedMotion": 1,
  "intl.accept_languages": "en-GB, en",
  "browser.shell.checkDefaultBrowser": false,
  "datareporting.policy.dataSubmissionEnabled": false,
};

/**
 * Debian's Firefox, headless, spoken to by WebDriver BiDi. Playwright's own Firefox is one that it has changed, and what it asks of others
 * is more than this one knows.
 * @param env for its sound (harness-sound.ts)
 * @throws Error that says how to install it
 */
export async function openFirefox(env: Readonly<Record<string, string>>): Promise<Tab> {
  const executablePath = findFirefox();
  if (executablePath === undefined) throw new Error(`Firefox is missing. Install it: ${installCommand(["firefox-esr"])}`);
  const browser = await launch({
    browser: "firefox",
    executablePath,
    extraPrefsFirefox: preferences,
    defaultViewport: { width: 1280, height: 900 },
    env: { ...process.env, ...env },
  });
  const page = await browser.newPage();
  const complaints: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error") complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(`Uncaught ${error instanceof Error ? error.stack : String(error)}`));
  return { ...tabOf(page), complaints: async () => complaints, [Symbol.asyncDispose]: () => browser.close() };
}

/** The page has put another in its place, or has gone elsewhere. */
const isStale = (problem: unknown) =>
  problem instanceof ProtocolError || (problem instanceof Error && /detached|not clickable|context/i.test(problem.message));

function tabOf(page: Page): Omit<Tab, "complaints" | typeof Symbol.asyncDispose> {
  const all = (place: Place) => page.$$(`::-p-xpath(${place})`);
  /** @param act unless it says that it can't yet */
  const withSeen = (place: Place, act: (element: ElementHandle) => Promise<unknown>) =>
    until(place, isStale, async () => {
      for (const element of await all(place)) {
        if (!(await element.isVisible())) continue;
        return (await act(element)) !== "notYet";
      }
      return false;
    });
  return {
    open: async (url) => void (await page.goto(url)),
    path: async () => new URL(page.url()).pathname,
    see: (place) => withSeen(place, async () => {}),
    point: (place) => withSeen(place, (element) => element.hover()),
    click: (place) => withSeen(place, async (element) => ((await element.evaluate(isPressable)) ? element.click() : "notYet")),
    fill: (place, text) =>
      withSeen(place, async (element) => {
        await element.evaluate((field) => {
          if (field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement) field.select();
        });
        await element.type(text);
      }),
    enter: (place) => withSeen(place, (element) => element.press("Enter")),
    attach: (place, path) =>
      until(place, isStale, async () => {
        const [element] = await all(place);
        // Its type says that it is for files: WebDriver would refuse any other.
        await element?.toElement("input").then((field) => field.uploadFile(path));
        return element !== undefined;
      }),
    evaluate: (expression) => page.evaluate(expression),
  };
}

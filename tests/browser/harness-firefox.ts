import { type ElementHandle, launch, type Page, ProtocolError } from "puppeteer-core";
import { findFirefox, installCommand } from "#scripts/tools.mjs";
import { type Driver, isPressable, onElements, type Tab } from "./harness-tab.ts";

/** Allows the microphone, and suppresses all other questions. */
const preferences = {
  "media.navigator.permission.disabled": true,
  "ui.prefersReducedMotion": 1,
  "intl.accept_languages": "en-GB, en",
  "browser.shell.checkDefaultBrowser": false,
  "datareporting.policy.dataSubmissionEnabled": false,
};

/**
 * Opens Debian's Firefox, headless, through WebDriver BiDi. Selenium needs geckodriver, which neither Debian nor npm
 * has. Playwright's own Firefox is not Debian's, and its WebDriver BiDi sends a command that Firefox 153 does not know
 * (emulation.setMediaFeaturesOverride).
 * @param env variables for its sound (harness-sound.ts)
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

/** The page has replaced the element, or has navigated elsewhere. */
const isStale = (problem: unknown) =>
  problem instanceof ProtocolError || (problem instanceof Error && /detached|not clickable|context/i.test(problem.message));

function tabOf(page: Page): Omit<Tab, "complaints" | typeof Symbol.asyncDispose> {
  const elements: Driver<ElementHandle> = {
    isStale,
    find: (place) => page.$$(`::-p-xpath(${place})`),
    isShown: (element) => element.isVisible(),
    isPressable: (element) => element.evaluate(isPressable),
    click: (element) => element.click(),
    fill: async (element, text) => {
      await element.evaluate((field) => {
        if (field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement) field.select();
      });
      await element.type(text);
    },
    enter: (element) => element.press("Enter"),
    // The type says that the input is for files: WebDriver refuses any other.
    attach: async (element, path) => (await element.toElement("input")).uploadFile(path),
  };
  return {
    ...onElements(elements),
    open: async (url) => void (await page.goto(url)),
    path: async () => new URL(page.url()).pathname,
    evaluate: (expression) => page.evaluate(expression),
  };
}

import { setTimeout as wait } from "node:timers/promises";
import { timeLimit } from "#tests/fixtures/time-limit.ts";

/** The place of an element: an XPath, which the clients of all engines accept. */
export type Place = string;

/**
 * A page in an engine other than Chromium, with only the actions that a walk needs and that WebDriver's classic
 * commands support. Waits are long enough for a loaded machine, and name their target when they fail.
 */
export interface Tab extends AsyncDisposable {
  open(url: string): Promise<void>;
  path(): Promise<string>;
  /** Waits until an element is visible. */
  see(place: Place): Promise<void>;
  /** Clicks the first visible element as soon as it is pressable. */
  click(place: Place): Promise<void>;
  /** Replaces the text of a field. */
  fill(place: Place, text: string): Promise<void>;
  /** Presses Enter in a field. */
  enter(place: Place): Promise<void>;
  /**
   * Chooses a file in a hidden field.
   * @param path an absolute path
   */
  attach(place: Place, path: string): Promise<void>;
  /** @returns the value of a JavaScript expression in the page */
  evaluate(expression: string): Promise<unknown>;
  /** The page's complaints: uncaught exceptions, CSP violations, and console errors where the engine reports them. */
  complaints(): Promise<readonly string[]>;
}

/** The longest wait in ms before the walk gives up. Recognition and starts on a loaded machine are the slowest. */
const patienceMs = timeLimit(60_000);
/** Polling interval in ms: each poll is a request to the browser, and one to the page. */
const lookEveryMs = 50;

/**
 * Polls until the condition holds.
 * @param mayPass whether a problem may be temporary; it is reported only when it stays
 */
export async function until(what: string, mayPass: (problem: unknown) => boolean, look: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + patienceMs;
  let cause: unknown;
  while (performance.now() < deadline) {
    try {
      if (await look()) return;
      cause = undefined;
    } catch (problem) {
      if (!mayPass(problem)) throw problem;
      cause = problem;
    }
    await wait(lookEveryMs);
  }
  throw new Error(`Waited in vain: ${what}`, { cause });
}

/** How an engine's client acts on an element. */
export interface Driver<Element> {
  /** Whether the page has changed under a command, so that a retry may succeed. */
  isStale(problem: unknown): boolean;
  find(place: Place): Promise<readonly Element[]>;
  isShown(element: Element): Promise<boolean>;
  /** The result of the function `isPressable` in the page. */
  isPressable(element: Element): Promise<boolean>;
  click(element: Element): Promise<void>;
  /** Replaces the text of a field. */
  fill(element: Element, text: string): Promise<void>;
  enter(element: Element): Promise<void>;
  attach(element: Element, path: string): Promise<void>;
}

/** The methods of a tab that wait for elements. */
export function onElements<Element>(driver: Driver<Element>): Pick<Tab, "see" | "click" | "fill" | "enter" | "attach"> {
  /** @param act acts on the first visible element, or returns "notYet" to retry */
  const withShown = (place: Place, act: (element: Element) => Promise<unknown>) =>
    until(place, driver.isStale, async () => {
      for (const element of await driver.find(place)) {
        if (await driver.isShown(element)) return (await act(element)) !== "notYet";
      }
      return false;
    });
  return {
    see: (place) => withShown(place, async () => {}),
    click: (place) =>
      withShown(place, async (element) => ((await driver.isPressable(element)) ? driver.click(element) : "notYet")),
    fill: (place, text) => withShown(place, (element) => driver.fill(element, text)),
    enter: (place) => withShown(place, driver.enter),
    attach: (place, path) =>
      until(place, driver.isStale, async () => {
        const [element] = await driver.find(place);
        if (element !== undefined) await driver.attach(element, path);
        return element !== undefined;
      }),
  };
}

/**
 * Whether a click would reach the element: it is not disabled, it has not moved for a frame, and no other element
 * covers it. Runs in the page.
 */
export async function isPressable(element: Element): Promise<boolean> {
  if (element.matches(":disabled, [aria-disabled=true]")) return false;
  element.scrollIntoView({ block: "nearest" });
  const before = element.getBoundingClientRect();
  await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  const { x, y, width, height } = element.getBoundingClientRect();
  const there = document.elementFromPoint(x + width / 2, y + height / 2);
  return before.x === x && before.y === y && there !== null && element.contains(there);
}

/** Quotes a text for XPath. */
function quoted(text: string): string {
  if (!text.includes('"')) return `"${text}"`;
  if (!text.includes("'")) return `'${text}'`;
  throw new Error(`XPath has no way to write both quotation marks at once: ${text}`);
}

const named = (name: string) => `[normalize-space(.)=${quoted(name)} or @aria-label=${quoted(name)}]`;

/** A button by its text or label. */
export const button = (name: string): Place => `//button${named(name)}`;
/** A button whose name starts with this. */
export const buttonLike = (begin: string): Place =>
  `//button[starts-with(normalize-space(.), ${quoted(begin)}) or starts-with(@aria-label, ${quoted(begin)})]`;
export const link = (name: string): Place => `//a${named(name)}`;
export const linkLike = (begin: string): Place => `//a[starts-with(normalize-space(.), ${quoted(begin)})]`;
export const heading = (name: string): Place => `//*[self::h1 or self::h2]${named(name)}`;
/** A field by its label. */
export const field = (label: string): Place =>
  `//*[self::input or self::textarea][@aria-label=${quoted(label)} or @id=//label[normalize-space(.)=${quoted(label)}]/@for]`;
/** The innermost element that contains these words, with the first letter in either case. */
export const text = (words: string): Place => `//*[text()[contains(normalize-space(.), ${quoted(words)})]]`;
export const marked = (testId: string): Place => `//*[@data-testid=${quoted(testId)}]`;

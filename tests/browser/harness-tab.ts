import { setTimeout as wait } from "node:timers/promises";
import { timeLimit } from "#tests/fixtures/time-limit.ts";

/** Where something is in a page: an XPath, which is what the clients of all engines take. */
export type Place = string;

/**
 * A page in an engine that is not Chromium, with as much as a walk needs: little enough that WebDriver's classic commands can do it, too.
 * What waits has as long as a loaded machine needs, and fails with what it waited for.
 */
export interface Tab extends AsyncDisposable {
  open(url: string): Promise<void>;
  path(): Promise<string>;
  /** Waits until one is to be seen. */
  see(place: Place): Promise<void>;
  /** Presses the first that is to be seen, once it can be pressed. */
  click(place: Place): Promise<void>;
  /** Puts a text in the place of what a field has. */
  fill(place: Place, text: string): Promise<void>;
  /** Presses Enter where something was typed. */
  enter(place: Place): Promise<void>;
  /** Chooses a file in a field that nobody sees. @param path absolute */
  attach(place: Place, path: string): Promise<void>;
  /** @returns what a JavaScript expression is in the page */
  evaluate(expression: string): Promise<unknown>;
  /** What the page has complained of: uncaught exceptions, violations of its policy, errors on the console where the engine tells. */
  complaints(): Promise<readonly string[]>;
}

/** Milliseconds that anything may take before the walk gives up; hearing and starting on a loaded machine are the slowest. */
const patienceMs = timeLimit(60_000);
/** Milliseconds between two looks: each is a request to the browser, and one to the page. */
const lookEveryMs = 50;

/**
 * Looks until it is so.
 * @param mayPass what may go wrong at one look and not at the next; it is told only when it stays so
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

/** How the client of an engine does one thing with an element. */
export interface Driver<Element> {
  /** Whether the page has changed under a command: the next look may succeed. */
  isStale(problem: unknown): boolean;
  find(place: Place): Promise<readonly Element[]>;
  isShown(element: Element): Promise<boolean>;
  /** What the function `isPressable` says in the page. */
  isPressable(element: Element): Promise<boolean>;
  click(element: Element): Promise<void>;
  /** Types in the place of what a field has. */
  fill(element: Element, text: string): Promise<void>;
  enter(element: Element): Promise<void>;
  attach(element: Element, path: string): Promise<void>;
}

/** The part of a tab that waits for elements. */
export function onElements<Element>(driver: Driver<Element>): Pick<Tab, "see" | "click" | "fill" | "enter" | "attach"> {
  /** @param act with the first element that is shown, unless it says that it can't yet */
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
 * Whether a press would reach an element: it is no button whose work is under way, it has stood still for a frame, and nothing is before
 * it. Runs in the page.
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

/** A text as XPath writes it. */
function quoted(text: string): string {
  if (!text.includes('"')) return `"${text}"`;
  if (!text.includes("'")) return `'${text}'`;
  throw new Error(`XPath has no way to write both quotation marks at once: ${text}`);
}

const named = (name: string) => `[normalize-space(.)=${quoted(name)} or @aria-label=${quoted(name)}]`;

/** By what it is called: what stands in it, or its label. */
export const button = (name: string): Place => `//button${named(name)}`;
/** One whose name begins so. */
export const buttonLike = (begin: string): Place =>
  `//button[starts-with(normalize-space(.), ${quoted(begin)}) or starts-with(@aria-label, ${quoted(begin)})]`;
export const link = (name: string): Place => `//a${named(name)}`;
export const linkLike = (begin: string): Place => `//a[starts-with(normalize-space(.), ${quoted(begin)})]`;
export const heading = (name: string): Place => `//*[self::h1 or self::h2]${named(name)}`;
/** A field by its label. */
export const field = (label: string): Place =>
  `//*[self::input or self::textarea][@aria-label=${quoted(label)} or @id=//label[normalize-space(.)=${quoted(label)}]/@for]`;
/** The innermost element with these words in it, whatever their case in the first letter. */
export const text = (words: string): Place => `//*[text()[contains(normalize-space(.), ${quoted(words)})]]`;
export const marked = (testId: string): Place => `//*[@data-testid=${quoted(testId)}]`;

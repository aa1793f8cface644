import type { Locator } from "vitest/browser";

/** What is read in each of the elements, on one line. */
export const textsOf = (locator: Locator): string[] => locator.elements().map(textOf);

function textOf(element: Element): string {
  // biome-ignore lint/performance/useDomNodeTextContent: what is not shown is left out, and blocks stay apart.
  const text = element instanceof HTMLElement ? element.innerText : "";
  return text.replace(/\s+/g, " ").trim();
}

import { type Locator, page } from "vitest/browser";

/** The visible text of each element on one line. */
export const textsOf = (locator: Locator): string[] => locator.elements().map(textOf);

/** The options of the field with this label. */
export const optionsOf = (label: string): string[] =>
  [...page.getByLabelText(label, { exact: true }).element().querySelectorAll("option")].map(({ text }) => text);

function textOf(element: Element): string {
  // biome-ignore lint/performance/useDomNodeTextContent: what is not shown is left out, and blocks stay apart.
  const text = element instanceof HTMLElement ? element.innerText : "";
  return text.replace(/\s+/g, " ").trim();
}

import type { Element, ElementContent, Root, RootContent } from "hast";
import { append, smallest } from "#contract/lists.ts";

/** The heading that remark adds above footnotes. It is not part of the text. */
const footnotes = "footnote-label";

function levelOf(element: Element): number {
  const level = /^h([1-6])$/.exec(element.tagName)?.[1];
  return level === undefined || element.properties.id === footnotes ? 0 : Number(level);
}

function headingsIn(children: readonly (RootContent | ElementContent)[]): Element[] {
  const found: Element[] = [];
  // No recursion, because a text may be nested very deeply.
  const left = [...children];
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    if (next.type !== "element") continue;
    if (levelOf(next) > 0) found.push(next);
    append(left, next.children);
  }
  return found;
}

/** Shifts a text's headings so that the highest becomes h2, because h1 is the page's title. */
export function headingsFromTwo() {
  return (tree: Root): void => {
    const headings = headingsIn(tree.children);
    const shift = 2 - Math.min(6, smallest(headings.map(levelOf)));
    for (const heading of headings) heading.tagName = `h${Math.min(6, levelOf(heading) + shift)}`;
  };
}

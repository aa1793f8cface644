/** Maximum nesting of quotations and lists: a parser's time is quadratic in the depth. */
const maxNesting = 12;
const marker = /[ \t]*(?:>|[-*+](?=[ \t])|\d{1,9}[.)](?=[ \t]))/y;

/** Removes the marks of quotations and lists beyond the maximum nesting. */
export function flattened(markdown: string): string {
  return markdown.replace(/^.+$/gm, (line) => {
    let [kept, end] = [0, 0];
    marker.lastIndex = 0;
    for (let nesting = 1; marker.test(line); nesting++) {
      end = marker.lastIndex;
      if (nesting <= maxNesting) kept = end;
    }
    return kept === end ? line : line.slice(0, kept) + line.slice(end);
  });
}

/**
 * The maximum marks inside one paragraph that are parsed: a parser's time is quadratic in their number. People write a
 * few dozen.
 */
const maxMarks = 400;
const mark = /[*_~`[\]<&!\\]/g;
const fence = /^[ \t>]*(?:`{3,}|~{3,})/;
/** The end of a paragraph: an empty line, or the start of a list item. */
const paragraphEnd = /^(?:\s*$| {0,3}[-*+][ \t]+\S)/;

/**
 * Replaces marks by spaces if a paragraph has more than any person writes. Fences stay, because they enclose no
 * paragraph.
 */
export function thinned(markdown: string): string {
  let seen = 0;
  const thin = (found: string) => (++seen > maxMarks ? " " : found);
  const lines = markdown.split("\n").map((line) => {
    if (paragraphEnd.test(line)) seen = 0;
    return fence.test(line) ? line : line.replace(mark, thin);
  });
  return lines.join("\n");
}

import type { Mark } from "#contract/index.ts";
import { termsIn } from "./terms.ts";
import type { Wanted } from "./wanted.ts";

/** The matches in a text, in order; overlapping ones are merged. */
export function marksIn(text: string, tag: string, wanted: readonly Wanted[]): Mark[] {
  const all = termsIn(text);
  const found: Mark[] = [];
  for (const { terms, isPrefix } of wanted) {
    const last = terms.length - 1;
    for (let at = 0; at + last < all.length; at += 1) {
      const isHere = terms.every((term, offset) => {
        const here = tag + (all[at + offset]?.term ?? "");
        return here === term || (isPrefix && offset === last && here.startsWith(term));
      });
      if (isHere) found.push([all[at]?.from ?? 0, all[at + last]?.to ?? 0]);
    }
  }
  return merged(found.toSorted((a, b) => a[0] - b[0] || a[1] - b[1]));
}

function merged(marks: readonly Mark[]): Mark[] {
  const apart: Mark[] = [];
  for (const [from, to] of marks) {
    const last = apart.at(-1);
    if (last !== undefined && from < last[1]) last[1] = Math.max(last[1], to);
    else apart.push([from, to]);
  }
  return apart;
}

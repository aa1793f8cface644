/* Replacements for a spread in a call (`list.push(...items)`, `Math.max(...values)`): each argument of a call is on the
   stack, which overflows at about 100,000. Lint refuses such spreads (scripts/no-spread-arguments.grit). */

/** Adds items to the end of a list. */
export function append<Item>(list: Item[], items: Iterable<Item>): void {
  for (const item of items) list.push(item);
}

/** The largest of some numbers; -Infinity for none. */
export function largest(values: Iterable<number>): number {
  let found = Number.NEGATIVE_INFINITY;
  for (const value of values) found = Math.max(found, value);
  return found;
}

/** The smallest of some numbers; Infinity for none. */
export function smallest(values: Iterable<number>): number {
  let found = Number.POSITIVE_INFINITY;
  for (const value of values) found = Math.min(found, value);
  return found;
}

import { setImmediate } from "node:timers/promises";

/** A row by its id, and how much there is to read of it (characters). */
export interface Weighed {
  id: string;
  weight: number;
}

/** Read at once: a few milliseconds' worth (characters, rows). */
const portionWeight = 2_000_000;
const portionRows = 200;

/**
 * The rows in portions that can be read at once without holding up anybody: reading is synchronous. Between two of them others have their
 * turn.
 */
export async function* inPortions(rows: Iterable<Weighed> | AsyncIterable<Weighed>): AsyncGenerator<string[]> {
  let portion: string[] = [];
  let weight = 0;
  for await (const row of rows) {
    const isFull = portion.length >= portionRows || weight + row.weight > portionWeight;
    if (portion.length > 0 && isFull) {
      yield portion;
      await setImmediate();
      [portion, weight] = [[], 0];
    }
    portion.push(row.id);
    weight += row.weight;
  }
  if (portion.length > 0) yield portion;
}

import { setImmediate } from "node:timers/promises";

/** A row's id and the size of its texts (characters). */
export interface Weighed {
  id: string;
  weight: number;
}

/** Size of a portion: a few milliseconds of reading (characters, rows). */
const portionWeight = 2_000_000;
const portionRows = 200;

/**
 * Groups rows into batches that are small enough to read without blocking the event loop, because reading is
 * synchronous. Yields to the event loop between batches.
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

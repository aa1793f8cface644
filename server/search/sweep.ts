import type { SearchIndex } from "./indexing.ts";

/** How long a sweep reads what was changed (milliseconds): after an update that is everything. */
const indexMs = 20_000;

/** Brings the index up to date, so that whoever searches does not wait for what is here already. */
export async function keepSearchIndex({ searchIndex }: { searchIndex: SearchIndex }): Promise<void> {
  await searchIndex.erase();
  await searchIndex.catchUp({ ms: indexMs });
}

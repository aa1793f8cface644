import type { SearchIndex } from "./indexing.ts";

/** How long a sweep indexes changes (milliseconds). After an update, every transcription has changed. */
const indexMs = 20_000;

/** Brings the index up to date, so that a search does not have to wait for existing transcriptions. */
export async function keepSearchIndex({ searchIndex }: { searchIndex: SearchIndex }): Promise<void> {
  await searchIndex.erase();
  await searchIndex.catchUp({ ms: indexMs });
}

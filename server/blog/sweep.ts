import type { DbParts } from "#server/db/open.ts";
import { deletePastReaders } from "./reader-queries.ts";

/** Deletes the readers of posts of past days; their counts stay. @param now epoch ms */
export async function deleteReaders({ db, now }: DbParts): Promise<void> {
  await deletePastReaders(db, now());
}

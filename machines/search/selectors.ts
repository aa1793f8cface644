import type { SnapshotFrom } from "xstate";
import type { InsightModel, SearchHit } from "#contract/index.ts";
import type { searchMachine } from "./machine.ts";
import { pageSize, type SearchFields } from "./rules.ts";

type Snapshot = SnapshotFrom<typeof searchMachine>;

export const selectWanted = (snapshot: Snapshot): SearchFields => snapshot.context.wanted;
/** The last hits, also while a newer search runs. */
export const selectHits = (snapshot: Snapshot): readonly SearchHit[] => snapshot.context.hits;
export const selectTotal = (snapshot: Snapshot): number => snapshot.context.total;
/** Whether there are more hits than the total. */
export const selectIsOpenEnded = (snapshot: Snapshot): boolean => snapshot.context.hasMore;
/** Whether no passage has all of the words: these have some. */
export const selectIsPartial = (snapshot: Snapshot): boolean => snapshot.hasTag("found") && snapshot.context.matched === "any";
/** The number of transcriptions that can't be searched yet. */
export const selectBehind = (snapshot: Snapshot): number => snapshot.context.behind;
export const selectIsSearching = (snapshot: Snapshot): boolean => snapshot.hasTag("searching");
export const selectIsFound = (snapshot: Snapshot): boolean => snapshot.hasTag("found");
export const selectIsNothing = (snapshot: Snapshot): boolean => snapshot.hasTag("nothing");
export const selectIsLoadingMore = (snapshot: Snapshot): boolean => snapshot.hasTag("loadingMore");
export const selectHasMorePages = (snapshot: Snapshot): boolean =>
  snapshot.hasTag("found") && snapshot.context.pages * pageSize < snapshot.context.total;
/** An error code of the contract; null unless the search or the next page failed. */
export const selectFailure = (snapshot: Snapshot): string | null => (snapshot.hasTag("failed") ? snapshot.context.failure : null);
/** The model that answers questions; null if no language model is set up. */
export const selectModel = (snapshot: Snapshot): InsightModel | null => snapshot.context.model;

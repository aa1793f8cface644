import type { SnapshotFrom } from "xstate";
import type { HistorySort, TranscriptionSummary } from "#contract/index.ts";
import type { transcriptionsMachine } from "./machine.ts";
import { divided } from "./rules.ts";

type Snapshot = SnapshotFrom<typeof transcriptionsMachine>;

/** All that are here, files that can't be read, too. */
export const selectItems = (snapshot: Snapshot): readonly TranscriptionSummary[] => snapshot.context.items;
/** The rows of the list; the same array until they change. */
export const selectListed = (snapshot: Snapshot): readonly TranscriptionSummary[] => divided(snapshot.context.items).listed;
/** Files that can't be read, which are no rows of the list; the same array until the rows change. */
export const selectUnreadable = (snapshot: Snapshot): readonly TranscriptionSummary[] =>
  divided(snapshot.context.items).unreadable;
/** The total on the server. */
export const selectTotal = (snapshot: Snapshot): number => snapshot.context.pagination.total;
/** The same without the files that are known to be unreadable. */
export const selectListedTotal = (snapshot: Snapshot): number => selectTotal(snapshot) - selectUnreadable(snapshot).length;
export const selectSort = (snapshot: Snapshot): HistorySort => snapshot.context.sort;
/** After it come the rows that are not here; undefined before the first page. */
export const selectLast = (snapshot: Snapshot): TranscriptionSummary | undefined => snapshot.context.last;
export const selectIsNarrowed = (snapshot: Snapshot): boolean =>
  snapshot.context.isNarrowed || snapshot.context.isNarrowedByFiling;
export const selectSelectedId = (snapshot: Snapshot): string | null => snapshot.context.selectedId;
export const selectIsLoading = (snapshot: Snapshot): boolean => snapshot.hasTag("loading");
/** Nothing is under way, and nothing has failed. */
export const selectIsSettled = (snapshot: Snapshot): boolean => snapshot.matches("settled");
export const selectIsLoadingMore = (snapshot: Snapshot): boolean => snapshot.matches("loadingMore");
export const selectIsLoadingRest = (snapshot: Snapshot): boolean => snapshot.matches("loadingRest");
export const selectHasMore = (snapshot: Snapshot): boolean => snapshot.context.items.length < snapshot.context.pagination.total;
/** An error code of the contract; null unless the last fetch failed. */
export const selectError = (snapshot: Snapshot): string | null => (snapshot.matches("failed") ? snapshot.context.error : null);

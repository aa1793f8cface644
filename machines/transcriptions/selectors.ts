import type { SnapshotFrom } from "xstate";
import type { HistorySort, TranscriptionSummary } from "#contract/index.ts";
import type { transcriptionsMachine } from "./machine.ts";
import { divided } from "./rules.ts";

type Snapshot = SnapshotFrom<typeof transcriptionsMachine>;

/** All loaded rows, including files that can't be read. */
export const selectItems = (snapshot: Snapshot): readonly TranscriptionSummary[] => snapshot.context.items;
/** The rows of the list; the same array until they change. */
export const selectListed = (snapshot: Snapshot): readonly TranscriptionSummary[] => divided(snapshot.context.items).listed;
/** Files that can't be read, which the list does not show; the same array until the rows change. */
export const selectUnreadable = (snapshot: Snapshot): readonly TranscriptionSummary[] =>
  divided(snapshot.context.items).unreadable;
/** The total on the server. */
export const selectTotal = (snapshot: Snapshot): number => snapshot.context.pagination.total;
/** The total without the files that are known to be unreadable. */
export const selectListedTotal = (snapshot: Snapshot): number => selectTotal(snapshot) - selectUnreadable(snapshot).length;
export const selectSort = (snapshot: Snapshot): HistorySort => snapshot.context.sort;
/** The last loaded row; undefined before the first page. The rows that are not loaded come after it. */
export const selectLast = (snapshot: Snapshot): TranscriptionSummary | undefined => snapshot.context.last;
export const selectIsNarrowed = (snapshot: Snapshot): boolean =>
  snapshot.context.isNarrowed || snapshot.context.isNarrowedByFiling;
export const selectSelectedId = (snapshot: Snapshot): string | null => snapshot.context.selectedId;
export const selectIsLoading = (snapshot: Snapshot): boolean => snapshot.hasTag("loading");
/** Whether nothing is loading and nothing has failed. */
export const selectIsSettled = (snapshot: Snapshot): boolean => snapshot.matches("settled");
export const selectIsLoadingMore = (snapshot: Snapshot): boolean => snapshot.matches("loadingMore");
export const selectIsLoadingRest = (snapshot: Snapshot): boolean => snapshot.matches("loadingRest");
export const selectHasMore = (snapshot: Snapshot): boolean => snapshot.context.items.length < snapshot.context.pagination.total;
/** An error code of the contract; null unless the last fetch failed. */
export const selectError = (snapshot: Snapshot): string | null => (snapshot.matches("failed") ? snapshot.context.error : null);

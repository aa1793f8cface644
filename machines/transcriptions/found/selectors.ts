import type { SnapshotFrom } from "xstate";
import type { foundMachine } from "./machine.ts";
import { counted, type FoundOutline, mayBeMore, type Rows } from "./rules.ts";

type Snapshot = SnapshotFrom<typeof foundMachine>;

/** The rows that match search and filters, in order: some screens full, and more as the reader scrolls. */
export const selectFoundRows = (snapshot: Snapshot): Rows => snapshot.context.rows;

/** A new object each time: compare its values. */
export function selectOutline(snapshot: Snapshot): FoundOutline {
  const { wanted, list, server, rows, now } = snapshot.context;
  const isMore = mayBeMore(wanted, list, server, now());
  const isSearching = snapshot.matches("filtering") || (snapshot.matches("searching") && !list.hasFailed);
  const byServer = isMore ? counted(wanted, server) : null;
  return { total: Math.max(rows.length, byServer ?? 0), isMore: isMore && byServer === null, isSearching };
}

import type { HistorySort } from "#contract/index.ts";
import type { Filters } from "./rules.ts";

/** The view of the library: the shown transcripts, and their order. */
export interface LibraryView extends Filters {
  /** The search term as typed. */
  q: string;
  /** A folder's id, "none" or "all". */
  folder: string;
  /** The ids of tags. */
  tags: readonly string[];
  favourites: boolean;
  sort: HistorySort;
}

/** All transcripts, the newest first. */
export const noView: LibraryView = {
  q: "",
  language: "all",
  dateRange: "all",
  status: "all",
  folder: "all",
  tags: [],
  favourites: false,
  sort: "newest",
};

/** Whether two of them are written as the same address. */
export const isSameView = (one: LibraryView, other: LibraryView): boolean =>
  one.q === other.q &&
  one.language === other.language &&
  one.dateRange === other.dateRange &&
  one.status === other.status &&
  one.folder === other.folder &&
  one.tags.join() === other.tags.join() &&
  one.favourites === other.favourites &&
  one.sort === other.sort;

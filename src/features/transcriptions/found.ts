import type { ActorRefFrom } from "xstate";
import type { HistorySort, TranscriptionSummary } from "#contract/index.ts";
import { filedFiltersOf, selectIsNarrowedByFiling } from "#machines/transcriptions/filed-filters.ts";
import { type filtersMachine, filtersOf, selectIsNarrowed, selectSearchTerm } from "#machines/transcriptions/filters.ts";
import type { transcriptionsMachine } from "#machines/transcriptions/machine.ts";
import {
  divided,
  type FiledFilters,
  type Filters,
  fitsFiled,
  isSameFiled,
  matcher,
  mayFollow,
  merged,
  noFiledFilters,
  noFilters,
} from "#machines/transcriptions/rules.ts";
import {
  selectError,
  selectHasMore,
  selectIsSettled,
  selectLast,
  selectListed,
  selectSort,
} from "#machines/transcriptions/selectors.ts";
import {
  selectFormer,
  selectFoundTotal,
  selectHasMore as selectHasMoreFound,
  selectIsAsking,
  selectIsResponsible,
  selectMayGoOn,
  selectRows,
  selectTerm,
  selectTermSort,
  selectWantsRest,
  type serverSearchMachine,
} from "#machines/transcriptions/server-search.ts";
import { createStore, type ReadableStore } from "#src/browser/store.ts";
import { createTermCache, filterRows } from "./filter-rows.ts";

type Transcriptions = ActorRefFrom<typeof transcriptionsMachine>;
type TranscriptionFilters = ActorRefFrom<typeof filtersMachine>;
type ServerSearch = ActorRefFrom<typeof serverSearchMachine>;
type Rows = readonly TranscriptionSummary[];

/** Rows that are looked for at once: more than there is room for on a large screen. */
const screenful = 50;

/** What is told of what was found, beside its rows. */
export interface FoundOutline {
  /** How many match, as far as it is known: there may be more than there are rows. */
  total: number;
  /** There may be more than that. */
  isMore: boolean;
  /** Somebody is looking for more right now. */
  isLooking: boolean;
}

/** The rows that match search and filters, in order: some screens full, and more as the reader goes on. */
export interface FollowedFound {
  rows: ReadableStore<Rows>;
  outline: ReadableStore<FoundOutline>;
  /** The end of the rows comes into sight. */
  showMore(): void;
  /** Fetches all that match, and gives their ids to `onAll`. */
  showAll(): void;
}

/** What is to be found, in what. */
interface Wanted {
  items: Rows;
  sort: HistorySort;
  /** Trimmed, lower-cased. */
  term: string;
  filters: Filters;
  filed: FiledFilters;
  isNarrowed: boolean;
}

const isSame = (one: Filters, other: Filters): boolean =>
  one.language === other.language && one.status === other.status && one.dateRange === other.dateRange;

/** Whether a row is one of those that are wanted, if it has the term. `now` in epoch ms. */
function fitting({ filters, filed }: Wanted, term: string, now: number): (item: TranscriptionSummary) => boolean {
  const fits = matcher(term, filters, now);
  return isSameFiled(filed, noFiledFilters) ? fits : (item) => fitsFiled(item, filed) && fits(item);
}

function wantedOf(actor: Transcriptions, narrowing: TranscriptionFilters): Wanted {
  const [list, chosen] = [actor.getSnapshot(), narrowing.getSnapshot()];
  const filed = list.children.filedFilters?.getSnapshot();
  return {
    items: selectListed(list),
    sort: selectSort(list),
    term: selectSearchTerm(chosen).trim().toLowerCase(),
    filters: filtersOf(chosen),
    filed: filed === undefined ? noFiledFilters : filedFiltersOf(filed),
    isNarrowed: selectIsNarrowed(chosen) || (filed !== undefined && selectIsNarrowedByFiling(filed)),
  };
}

/** What was found here, and what the server has found besides; in order. */
function withServers(wanted: Wanted, found: Rows, server: ReturnType<ServerSearch["getSnapshot"]>): Rows {
  const isAsking = selectIsAsking(server);
  const servers = divided(isAsking ? selectFormer(server) : selectRows(server)).listed;
  if (servers.length === 0) return found;
  const here = new Set(found.map(({ id }) => id));
  const fits = fitting(wanted, wanted.term, Date.now());
  // Of a long text only the beginning is here: that its rest has the term, the server knows.
  const fitsWhole = fitting(wanted, "", Date.now());
  const isFound = (row: TranscriptionSummary) => (row.shortened === true && !isAsking ? fitsWhole(row) : fits(row));
  const more = servers.filter((row) => !here.has(row.id) && isFound(row));
  return more.length === 0 ? found : merged(found, more, wanted.sort);
}

class Following implements FollowedFound {
  readonly rows = createStore<Rows>([]);
  readonly outline = createStore<FoundOutline>({ total: 0, isMore: false, isLooking: false });
  readonly #actor: Transcriptions;
  readonly #search: ServerSearch;
  readonly #onAll: (ids: readonly string[]) => void;
  #now: Wanted;
  #cache = createTermCache();
  #isFiltering = false;
  #reach = screenful;
  #wantsAll = false;

  constructor(actor: Transcriptions, search: ServerSearch, wanted: Wanted, onAll: (ids: readonly string[]) => void) {
    this.#actor = actor;
    this.#search = search;
    this.#onAll = onAll;
    this.#now = wanted;
    this.#begin();
  }

  /** The list, or what is wanted of it, may have changed. */
  update(next: Wanted): void {
    const before = this.#now;
    const isSameFilters = isSame(before.filters, next.filters) && isSameFiled(before.filed, next.filed);
    const isSameNarrowing = before.term === next.term && isSameFilters;
    const isSameList = before.items === next.items && before.sort === next.sort;
    if (selectError(this.#actor.getSnapshot()) !== null) this.#wantsAll = false;
    if (isSameList && isSameNarrowing && before.isNarrowed === next.isNarrowed) {
      this.#goOn();
      return;
    }
    if (!isSameList || !isSameFilters) this.#cache = createTermCache();
    if (!isSameNarrowing) [this.#reach, this.#wantsAll] = [screenful, false];
    this.#now = next;
    this.#begin();
  }

  /** The server has answered, or was asked something else. */
  searched(): void {
    if (this.#now.isNarrowed && !this.#isFiltering) void this.#filter();
  }

  showMore = (): void => {
    if (this.rows.get().length < this.#reach) return;
    this.#reach = this.rows.get().length + screenful;
    this.#goOn();
  };

  showAll = (): void => {
    this.#wantsAll = true;
    this.#goOn();
  };

  #begin(): void {
    // The answer to "is there more?" is not asked for before the server has the new term.
    this.#isFiltering = true;
    this.#askServer();
    void this.#filter();
  }

  /** The server is asked for what is not here: rows that were not fetched, and the rest of long texts. */
  #askServer(): void {
    const { term, items, sort } = this.#now;
    const isHere = !selectHasMore(this.#actor.getSnapshot()) && !items.some(({ shortened }) => shortened === true);
    const asked = isHere ? "" : term;
    const server = this.#search.getSnapshot();
    if (selectTerm(server) !== asked || (asked !== "" && selectTermSort(server) !== sort))
      this.#search.send({ type: "term.changed", term: asked, sort });
  }

  async #filter(): Promise<void> {
    const [wanted, cache] = [this.#now, this.#cache];
    const { items, term, isNarrowed } = wanted;
    if (!isNarrowed) return this.#show(items);
    const known = cache.get(term);
    if (known !== undefined) return this.#show(known);
    this.#isFiltering = true;
    this.#tell();
    const rows = cache.narrowest(term) ?? items;
    const found = await filterRows(rows, fitting(wanted, term, Date.now()), () => this.#now !== wanted);
    if (found === undefined) return;
    cache.keep(term, found);
    if (this.#now === wanted) this.#show(found);
  }

  #show(found: Rows): void {
    this.#isFiltering = false;
    this.rows.set(this.#now.isNarrowed ? withServers(this.#now, found, this.#search.getSnapshot()) : found);
    this.#goOn();
  }

  /** Asks for more where there is less than can be seen, or all is wanted. */
  #goOn(): void {
    if (this.#isFiltering) return;
    const hasMore = this.#now.isNarrowed && this.#hasMore();
    if (this.#wantsAll && !hasMore) {
      this.#wantsAll = false;
      this.#onAll(this.rows.get().map(({ id }) => id));
    }
    if (hasMore && this.#wantsAll) this.#askForAll();
    else if (hasMore && this.rows.get().length < this.#reach) this.#askForMore();
    this.#tell();
  }

  /** Where both lists are in the order of time, what comes later is too old for a date range. */
  #hasMore(): boolean {
    const { filters, sort } = this.#now;
    const [server, list] = [this.#search.getSnapshot(), this.#actor.getSnapshot()];
    const isServers = selectIsResponsible(server);
    if (isServers && selectIsAsking(server)) return true;
    if (!(isServers ? selectHasMoreFound(server) : selectHasMore(list))) return false;
    const last = isServers ? selectRows(server).at(-1) : selectLast(list);
    return sort !== "newest" || mayFollow(last, filters.dateRange, Date.now());
  }

  #askForMore(): void {
    const server = this.#search.getSnapshot();
    if (selectMayGoOn(server)) this.#search.send({ type: "more.requested" });
    else if (this.#isTheLists()) this.#actor.send({ type: "more.requested" });
  }

  #askForAll(): void {
    const server = this.#search.getSnapshot();
    if (selectIsResponsible(server)) {
      if (!selectWantsRest(server)) this.#search.send({ type: "rest.requested" });
    } else if (this.#isTheLists()) this.#actor.send({ type: "all.requested" });
  }

  /** Whether the list has to look further, and can. */
  #isTheLists(): boolean {
    return !selectIsResponsible(this.#search.getSnapshot()) && selectIsSettled(this.#actor.getSnapshot());
  }

  /** What the server finds is what is wanted: it knows no filters. */
  #isOnlySearched(): boolean {
    return isSame(this.#now.filters, noFilters) && isSameFiled(this.#now.filed, noFiledFilters);
  }

  #tell(): void {
    const count = this.rows.get().length;
    const isMore = this.#now.isNarrowed && this.#hasMore();
    const isLooking = isMore && (this.#wantsAll || count < this.#reach) && selectError(this.#actor.getSnapshot()) === null;
    const server = this.#search.getSnapshot();
    // Without filters the server has counted them.
    const isAnswered = selectIsResponsible(server) && !selectIsAsking(server);
    const isCounted = isAnswered && selectHasMoreFound(server) && this.#isOnlySearched();
    const counted = selectFoundTotal(server) - divided(selectRows(server)).unreadable.length;
    const total = isCounted ? Math.max(count, counted) : count;
    const next = { total, isMore: isMore && !isCounted, isLooking: this.#isFiltering || isLooking };
    const known = this.outline.get();
    const isKnown = known.total === total && known.isMore === next.isMore && known.isLooking === next.isLooking;
    if (!isKnown) this.outline.set(next);
  }
}

/**
 * The filtered history; outside of the machine, because filtering 100,000 rows takes many slices. What is here is filtered here; where
 * that leaves less than can be seen, the server is asked for what matches a search, and for the next page of what is only filtered.
 * @param onAll receives the ids when `showAll` was called
 */
export function followFound(
  actor: Transcriptions,
  narrowing: TranscriptionFilters,
  onAll: (ids: readonly string[]) => void,
): FollowedFound {
  const { search, filedFilters } = actor.getSnapshot().children;
  if (search === undefined || filedFilters === undefined) throw new Error("It runs as long as the list does.");
  const following = new Following(actor, search, wantedOf(actor, narrowing), onAll);
  const update = () => following.update(wantedOf(actor, narrowing));
  actor.subscribe(update);
  narrowing.subscribe(update);
  filedFilters.subscribe(update);
  search.subscribe(() => following.searched());
  return following;
}

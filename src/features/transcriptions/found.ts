import { type ActorRefFrom, createActor, fromPromise } from "xstate";
import { folded } from "#contract/search/terms.ts";
import { filedFiltersOf, selectIsNarrowedByFiling } from "#machines/transcriptions/filed-filters.ts";
import { type filtersMachine, filtersOf, selectIsNarrowed, selectSearchTerm } from "#machines/transcriptions/filters.ts";
import { type FoundActor, foundMachine } from "#machines/transcriptions/found/machine.ts";
import {
  fitting,
  isSameButTerm,
  type ListState,
  type Rows,
  type ServerState,
  type Wanted,
} from "#machines/transcriptions/found/rules.ts";
import type { transcriptionsMachine } from "#machines/transcriptions/machine.ts";
import { noFiledFilters } from "#machines/transcriptions/rules.ts";
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
import { inspected } from "#src/browser/inspection.ts";
import { createTermCache, filterRows } from "./filter-rows.ts";

type Transcriptions = ActorRefFrom<typeof transcriptionsMachine>;
type TranscriptionFilters = ActorRefFrom<typeof filtersMachine>;
type ServerSearch = ActorRefFrom<typeof serverSearchMachine>;

function sourcesOf(actor: Transcriptions, narrowing: TranscriptionFilters): { wanted: Wanted; list: ListState } {
  const [list, chosen] = [actor.getSnapshot(), narrowing.getSnapshot()];
  const filed = list.children.filedFilters?.getSnapshot();
  return {
    wanted: {
      items: selectListed(list),
      sort: selectSort(list),
      term: folded(selectSearchTerm(chosen)).trim(),
      filters: filtersOf(chosen),
      filed: filed === undefined ? noFiledFilters : filedFiltersOf(filed),
      isNarrowed: selectIsNarrowed(chosen) || (filed !== undefined && selectIsNarrowedByFiling(filed)),
    },
    list: {
      hasMore: selectHasMore(list),
      isSettled: selectIsSettled(list),
      hasFailed: selectError(list) !== null,
      last: selectLast(list),
    },
  };
}

function serverOf(search: ServerSearch): ServerState {
  const server = search.getSnapshot();
  return {
    term: selectTerm(server),
    sort: selectTermSort(server),
    isResponsible: selectIsResponsible(server),
    isAsking: selectIsAsking(server),
    mayGoOn: selectMayGoOn(server),
    hasMore: selectHasMoreFound(server),
    wantsRest: selectWantsRest(server),
    total: selectFoundTotal(server),
    rows: selectRows(server),
    former: selectFormer(server),
  };
}

/** Filters in slices, and caches each term's result as long as the rows and filters are the same. */
function createFilter() {
  let cache = createTermCache();
  let last: Wanted | undefined;
  return fromPromise<Rows, { wanted: Wanted; now: number }>(async ({ input: { wanted, now }, signal }) => {
    if (last === undefined || !isSameButTerm(last, wanted)) cache = createTermCache();
    last = wanted;
    const { items, term } = wanted;
    const mine = cache;
    const known = mine.get(term);
    if (known !== undefined) return known;
    const found = await filterRows(mine.narrowest(term) ?? items, fitting(wanted, term, now), () => signal.aborted);
    if (found === undefined) return [];
    mine.keep(term, found);
    return found;
  });
}

/**
 * Starts the filtering for a list and its filters. The caller stops it with the list.
 * @throws Error when the list has been stopped
 */
export function followFound(actor: Transcriptions, narrowing: TranscriptionFilters): FoundActor {
  const { search, filedFilters } = actor.getSnapshot().children;
  if (search === undefined || filedFilters === undefined) throw new Error("It runs as long as the list does.");
  const machine = foundMachine.provide({ actors: { filter: createFilter() } });
  const input = { ...sourcesOf(actor, narrowing), server: serverOf(search), now: () => Date.now() };
  const found = createActor(machine, { ...inspected(), input });
  found.on("search.term", ({ term, sort }) => search.send({ type: "term.changed", term, sort }));
  found.on("search.more", () => search.send({ type: "more.requested" }));
  found.on("search.rest", () => search.send({ type: "rest.requested" }));
  found.on("list.more", () => actor.send({ type: "more.requested" }));
  found.on("list.all", () => actor.send({ type: "all.requested" }));
  const update = () => found.send({ type: "list.changed", ...sourcesOf(actor, narrowing) });
  actor.subscribe(update);
  narrowing.subscribe(update);
  filedFilters.subscribe(update);
  search.subscribe(() => found.send({ type: "server.changed", server: serverOf(search) }));
  return found.start();
}

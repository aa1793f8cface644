import { type ActorRefFrom, createActor, fromCallback, fromPromise } from "xstate";
import { searchLimits } from "#contract/index.ts";
import { codeOf } from "#machines/failure.ts";
import { askingMachine } from "#machines/search/asking.ts";
import { searchMachine } from "#machines/search/machine.ts";
import { emptyFields, pageSize, type SearchFields } from "#machines/search/rules.ts";
import { waitOf } from "#src/api/http.ts";
import { createSearchApi } from "#src/api/search.ts";
import { inspected } from "#src/browser/inspection.ts";
import { pageRouter } from "#src/browser/page-router.ts";
import { ownCall, ownSend } from "#src/features/session/api.ts";
import { perOwner } from "#src/features/session/per-owner.ts";
import { addressOf, type SearchAddress, searchIn } from "./address.ts";

const api = createSearchApi(ownCall, ownSend);

export type Search = ActorRefFrom<typeof machine>;

const machine = searchMachine.provide({
  actors: {
    search: fromPromise(({ input: { wanted, page }, signal }) =>
      api.search({ q: wanted.query.trim(), ...filtersOf(wanted), page, limit: pageSize }, signal),
    ),
  },
});

const questions = askingMachine.provide({
  actors: {
    ask: fromCallback(({ input: { question, filters }, sendBack }) => {
      const called = new AbortController();
      api.ask({ question, ...filtersOf(filters) }, called.signal, sendBack).catch((error: unknown) => {
        if (!called.signal.aborted) sendBack({ type: "asking.failed", code: codeOf(error), ...waitOf(error) });
      });
      return () => called.abort();
    }),
  },
});

export interface SearchActors {
  search: Search;
  asking: ActorRefFrom<typeof askingMachine>;
}

export interface OpenSearch extends SearchActors {
  /** Searches for what an address contains, unless the search itself has written that address. */
  follow(address: SearchAddress): void;
}

/** Converts days in the user's time zone to moments. The last day counts as a whole. */
function filtersOf({ language, from, to }: Omit<SearchFields, "query">): {
  language?: string;
  from?: string;
  to?: string;
} {
  const [begin, end] = [midnightOf(from, 0), midnightOf(to, 1)];
  return {
    ...(language !== "" && { language }),
    ...(begin !== undefined && { from: begin }),
    ...(end !== undefined && { to: end }),
  };
}

/** @param later days to add. @returns undefined for no day */
function midnightOf(day: string, later: number): string | undefined {
  const midnight = new Date(`${day}T00:00:00`);
  if (Number.isNaN(midnight.getTime())) return undefined;
  midnight.setDate(midnight.getDate() + later);
  return midnight.toISOString();
}

/**
 * The number of pending navigations that write the search into the address. Their address is ignored, because the user
 * may have typed on.
 */
let ownNavigations = 0;

function create(): OpenSearch {
  const actor = createActor(machine, inspected());
  // Only while the page is open, because the user may have left it.
  actor.on("wanted.settled", async ({ wanted }) => {
    if (location.pathname !== "/search") return;
    ownNavigations += 1;
    await pageRouter().navigate({ to: "/search", search: addressOf(wanted), replace: true, resetScroll: false });
    ownNavigations -= 1;
  });
  return {
    search: actor.start(),
    asking: createActor(questions, inspected()).start(),
    follow(address) {
      const known = searchIn({ ...address });
      const isSaid = Object.keys(known).length > 0;
      if (isSaid && ownNavigations === 0) actor.send({ type: "address.opened", wanted: { ...emptyFields, ...wantedIn(known) } });
    },
  };
}

const palettes = perOwner<Search>({ end: (search) => search.stop() });

/** The search of the palette. Independent of the search page, which keeps its own state. */
export const openPaletteSearch = (): Search => palettes.open(() => createActor(machine, inspected()).start());

const searches = perOwner<OpenSearch>({
  end: ({ search, asking }) => {
    search.stop();
    asking.stop();
  },
});

/** Opens the signed-in user's search. An address without a search shows the last one again. */
export function openSearch(address: SearchAddress): OpenSearch {
  const open = searches.open(create);
  open.follow(address);
  return open;
}

function wantedIn({ q = "", ...filters }: SearchAddress): Partial<SearchFields> {
  return { query: q.slice(0, searchLimits.query), ...filters };
}

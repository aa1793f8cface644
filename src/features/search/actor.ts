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
  /** Looks for what an address says, unless the search has written it there itself. */
  follow(address: SearchAddress): void;
}

/** Days as the person's clock has them, as moments; the last day is in it as a whole. */
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

/** @param later days after it. @returns undefined for none */
function midnightOf(day: string, later: number): string | undefined {
  const midnight = new Date(`${day}T00:00:00`);
  if (Number.isNaN(midnight.getTime())) return undefined;
  midnight.setDate(midnight.getDate() + later);
  return midnight.toISOString();
}

/** Navigations that write what is looked for into the address: by then somebody may have typed on. */
let ownNavigations = 0;

function create(): OpenSearch {
  const actor = createActor(machine, inspected());
  // Only while the page is open: whoever has left it is somewhere else.
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

/** The signed-in person's search over the pages: another one than that of the page, which is left alone. */
export const openPaletteSearch = (): Search => palettes.open(() => createActor(machine, inspected()).start());

const searches = perOwner<OpenSearch>({
  end: ({ search, asking }) => {
    search.stop();
    asking.stop();
  },
});

/** The signed-in person's search. Whoever comes back to it, without saying what to look for, finds it as it was left. */
export function openSearch(address: SearchAddress): OpenSearch {
  const open = searches.open(create);
  open.follow(address);
  return open;
}

function wantedIn({ q = "", ...filters }: SearchAddress): Partial<SearchFields> {
  return { query: q.slice(0, searchLimits.query), ...filters };
}

import { createActor } from "xstate";
import type { PageAnswer } from "#machines/transcriptions/rules.ts";
import {
  type SearchRequest,
  type ServerSearchEvent,
  selectHasMore,
  selectRows,
  serverSearchMachine,
} from "#machines/transcriptions/server-search.ts";
import { row } from "#tests/machines/harness.ts";
import { answered, failure, refused, sent, untilNextTimer } from "#tests/paths/harness-moves.ts";
import type { Stubs } from "#tests/paths/harness-stubs.ts";
import { type RunOptions, walkTests } from "#tests/paths/harness-walk.ts";

/** More than a page of them has the word. */
const found = Array.from({ length: 60 }, (_, index) => row(100 - index));
const [first] = found;

function prepare(stubs: Stubs) {
  const search = stubs.asking<PageAnswer, SearchRequest>();
  const machine = serverSearchMachine.provide({ actors: { search: search.logic } });
  return ({ clock, inspect }: RunOptions) => ({ actor: createActor(machine, { clock, inspect }), search });
}
type Harness = ReturnType<ReturnType<typeof prepare>>;

const context = ({ actor }: Harness) => actor.getSnapshot().context;
const asked = ({ search }: Harness) => search;

/** The server's page, with the term in its titles. */
function page(request: SearchRequest | undefined, total = found.length): PageAnswer {
  const { page: number, limit, search } = request ?? { page: 1, limit: 50, search: "" };
  const data = found.slice((number - 1) * limit, number * limit).map((one) => ({ ...one, title: `with ${search}` }));
  return { data, pagination: { page: number, limit, total, totalPages: Math.ceil(total / limit) } };
}

walkTests<Harness>({
  machine: serverSearchMachine,
  prepare,
  moves: [
    sent<ServerSearchEvent>({ type: "term.changed", term: "whale", sort: "newest" }, "a word is typed"),
    sent<ServerSearchEvent>({ type: "term.changed", term: "whales", sort: "newest" }, "a letter more is typed"),
    sent<ServerSearchEvent>({ type: "term.changed", term: "", sort: "newest" }, "nothing is searched any more"),
    sent<ServerSearchEvent>({ type: "more.requested" }),
    sent<ServerSearchEvent>({ type: "rest.requested" }),
    sent<ServerSearchEvent>({ type: "transcription.updated", transcription: row(100, { title: "with whale" }) }),
    sent<ServerSearchEvent>({ type: "transcriptions.removed", ids: [first?.id ?? ""] }),
    untilNextTimer,
    answered("the server has found some", asked, (_, input) => page(input)),
    answered("the server has found fewer than it said", asked, () => ({ ...page(undefined), data: [] })),
    refused("the server can't be asked", asked, failure("network")),
  ],
  situation: (harness) => [
    context(harness).term,
    context(harness).rows.length,
    context(harness).total,
    context(harness).wantsRest,
  ],
  rules: {
    "one question at a time, about what is searched now": ({ search, actor }) =>
      search.open().length <= 1 && search.open().every(({ input }) => input?.search === actor.getSnapshot().context.term),
    "nothing is asked about nothing": ({ search }) => search.open().every(({ input }) => input?.search !== ""),
    "no row stands twice": (harness) => new Set(context(harness).rows.map(({ id }) => id)).size === context(harness).rows.length,
    "what was found for terms before is gone with the answer": (harness) =>
      !harness.actor.getSnapshot().hasTag("found") || context(harness).former.length === 0,
    "there are never more rows than were found": (harness) => context(harness).rows.length <= context(harness).total,
    "who wants the rest is getting it, has it, or hears why not": (harness) =>
      !context(harness).wantsRest || !selectHasMore(harness.actor.getSnapshot()) || !harness.actor.getSnapshot().matches("found"),
    "nothing of another search is shown": (harness) =>
      context(harness).term !== "" || selectRows(harness.actor.getSnapshot()).length === 0,
  },
});

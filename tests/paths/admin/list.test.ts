import { createActor } from "xstate";
import type { ListPage } from "#contract/index.ts";
import { adminListMachine, selectListError } from "#machines/admin/list.ts";
import { answered, failure, refused, sent } from "#tests/paths/harness-moves.ts";
import type { Stubs } from "#tests/paths/harness-stubs.ts";
import { type RunOptions, walkTests } from "#tests/paths/harness-walk.ts";

const page = (query: unknown): ListPage<unknown> => ({ rows: [query], page: 1, totalPages: 1, total: 1 });

function prepare(stubs: Stubs) {
  const fetchPage = stubs.asking<ListPage<unknown>, { query: unknown }>();
  const machine = adminListMachine.provide({ actors: { fetchPage: fetchPage.logic } });
  return ({ clock, inspect }: RunOptions) => {
    const actor = createActor(machine, { clock, inspect, input: { query: "first" } });
    return { actor, fetchPage };
  };
}
type Harness = ReturnType<ReturnType<typeof prepare>>;

const context = ({ actor }: Harness) => actor.getSnapshot().context;
const asked = ({ fetchPage }: Harness) => fetchPage;

walkTests<Harness>({
  machine: adminListMachine,
  prepare,
  moves: [
    sent({ type: "query.changed", query: "second" }, "another page is asked for"),
    sent({ type: "refresh.requested" }),
    sent({ type: "poll.due" }),
    answered("it comes", asked, (_, input) => page(input?.query)),
    refused("it can't be had", asked, failure("network")),
  ],
  situation: (harness) => [context(harness).query, context(harness).shown?.rows[0] ?? null, context(harness).error],
  rules: {
    "one page at a time is asked for": ({ fetchPage }) => fetchPage.open().length <= 1,
    "it is the one that was asked for last": (harness) =>
      harness.fetchPage.open().every(({ input }) => input?.query === context(harness).query),
    "what is shown when all is quiet is what was asked for": (harness) =>
      !harness.actor.getSnapshot().matches("settled") || context(harness).shown?.rows[0] === context(harness).query,
    "what was shown stays when the next can't be had": (harness) =>
      selectListError(harness.actor.getSnapshot()) === null || harness.fetchPage.open().length === 0,
  },
});

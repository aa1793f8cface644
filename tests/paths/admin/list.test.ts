import { createActor } from "xstate";
import type { ListPage } from "#contract/index.ts";
import { adminListMachine, selectListError } from "#machines/admin/list.ts";
import { answered, failure, refused, sent } from "#tests/paths/harness-moves.ts";
import type { Stage } from "#tests/paths/harness-stage.ts";
import { type RunOptions, walkTests } from "#tests/paths/harness-walk.ts";

const page = (query: unknown): ListPage<unknown> => ({ rows: [query], page: 1, totalPages: 1, total: 1 });

function prepare(stage: Stage) {
  const fetchPage = stage.asking<ListPage<unknown>, { query: unknown }>();
  const machine = adminListMachine.provide({ actors: { fetchPage: fetchPage.logic } });
  return ({ clock, inspect }: RunOptions) => {
    const actor = createActor(machine, { clock, inspect, input: { query: "first" } });
    return { actor, fetchPage };
  };
}
type Rig = ReturnType<ReturnType<typeof prepare>>;

const context = ({ actor }: Rig) => actor.getSnapshot().context;
const asked = ({ fetchPage }: Rig) => fetchPage;

walkTests<Rig>({
  machine: adminListMachine,
  prepare,
  moves: [
    sent({ type: "query.changed", query: "second" }, "another page is asked for"),
    sent({ type: "refresh.requested" }),
    sent({ type: "poll.due" }),
    answered("it comes", asked, (_, input) => page(input?.query)),
    refused("it can't be had", asked, failure("network")),
  ],
  situation: (rig) => [context(rig).query, context(rig).shown?.rows[0] ?? null, context(rig).error],
  rules: {
    "one page at a time is asked for": ({ fetchPage }) => fetchPage.open().length <= 1,
    "it is the one that was asked for last": (rig) =>
      rig.fetchPage.open().every(({ input }) => input?.query === context(rig).query),
    "what is shown when all is quiet is what was asked for": (rig) =>
      !rig.actor.getSnapshot().matches("settled") || context(rig).shown?.rows[0] === context(rig).query,
    "what was shown stays when the next can't be had": (rig) =>
      selectListError(rig.actor.getSnapshot()) === null || rig.fetchPage.open().length === 0,
  },
});

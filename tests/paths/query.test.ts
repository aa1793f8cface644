import { createActor } from "xstate";
import { codeOf } from "#machines/failure.ts";
import { createQueryMachine, queryMachine, selectData, selectError, selectHasFailed } from "#machines/query.ts";
import { answered, failure, refused, sent } from "#tests/paths/harness-moves.ts";
import { type RunOptions, walkTests } from "#tests/paths/harness-walk.ts";
import type { Stubs } from "./harness-stubs.ts";

function prepare(stubs: Stubs) {
  const fetchData = stubs.asking<string>();
  const machine = createQueryMachine<string>().provide({ actors: { fetchData: fetchData.logic } });
  return ({ clock, inspect }: RunOptions) => ({ actor: createActor(machine, { clock, inspect }), fetchData });
}
type Harness = ReturnType<ReturnType<typeof prepare>>;

const asked = ({ fetchData }: Harness) => fetchData;
const now = ({ actor }: Harness) => actor.getSnapshot();

walkTests<Harness>({
  machine: queryMachine,
  prepare,
  moves: [
    sent({ type: "retry.requested" }),
    sent({ type: "data.changed", data: "changed" }),
    answered("the answer comes", asked, () => "answered"),
    refused("it can't be had", asked, failure("network")),
    refused("the server has no such call", asked, failure("notOffered")),
  ],
  situation: (harness) => [now(harness).context.data, codeOf(selectError(now(harness)))],
  rules: {
    "it is asked for exactly while it is loading": (harness) =>
      harness.fetchData.open().length === (now(harness).matches("loading") ? 1 : 0),
    "a failure has a reason, and nothing else has": (harness) =>
      selectHasFailed(now(harness)) === (selectError(now(harness)) !== null),
    "what is loaded is shown": (harness) => !now(harness).matches("loaded") || selectData(now(harness)) !== null,
  },
});

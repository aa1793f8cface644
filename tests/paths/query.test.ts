import { createActor } from "xstate";
import { codeOf } from "#machines/failure.ts";
import { createQueryMachine, queryMachine, selectData, selectError, selectHasFailed } from "#machines/query.ts";
import { answered, failure, refused, sent } from "#tests/paths/harness-moves.ts";
import type { Stage } from "#tests/paths/harness-stage.ts";
import { type RunOptions, walkTests } from "#tests/paths/harness-walk.ts";

function prepare(stage: Stage) {
  const fetchData = stage.asking<string>();
  const machine = createQueryMachine<string>().provide({ actors: { fetchData: fetchData.logic } });
  return ({ clock, inspect }: RunOptions) => ({ actor: createActor(machine, { clock, inspect }), fetchData });
}
type Rig = ReturnType<ReturnType<typeof prepare>>;

const asked = ({ fetchData }: Rig) => fetchData;
const now = ({ actor }: Rig) => actor.getSnapshot();

walkTests<Rig>({
  machine: queryMachine,
  prepare,
  moves: [
    sent({ type: "retry.requested" }),
    sent({ type: "data.changed", data: "changed" }),
    answered("the answer comes", asked, () => "answered"),
    refused("it can't be had", asked, failure("network")),
    refused("the server has no such call", asked, failure("notOffered")),
  ],
  situation: (rig) => [now(rig).context.data, codeOf(selectError(now(rig)))],
  rules: {
    "it is asked for exactly while it is loading": (rig) => rig.fetchData.open().length === (now(rig).matches("loading") ? 1 : 0),
    "a failure has a reason, and nothing else has": (rig) => selectHasFailed(now(rig)) === (selectError(now(rig)) !== null),
    "what is loaded is shown": (rig) => !now(rig).matches("loaded") || selectData(now(rig)) !== null,
  },
});

import { createActor } from "xstate";
import { type Deed, deskMachine, selectAskedDeed } from "#machines/admin/row-actions.ts";
import { answered, failure, refused, sent, untilNextTimer } from "#tests/paths/harness-moves.ts";
import type { Stage } from "#tests/paths/harness-stage.ts";
import { type RunOptions, walkTests } from "#tests/paths/harness-walk.ts";

const done = { action: "done", id: "1" };
const removed = { action: "delete", id: "2" };
const lookMs = 5_000;

function prepare(stage: Stage) {
  const perform = stage.asking<void, { deed: Deed | undefined }>();
  const machine = deskMachine.provide({ actors: { perform: perform.logic }, delays: { untilNextLook: () => lookMs } });
  return ({ start, clock, inspect }: RunOptions) => {
    const input = { asksFirst: ["delete"], looks: start === "a list that changes by itself" };
    const actor = createActor(machine, { clock, inspect, input });
    const told: Deed[] = [];
    let looks = 0;
    const confirmed = { times: 0 };
    actor.on("done", ({ deed }) => told.push(deed));
    actor.on("look.due", () => {
      looks += 1;
    });
    return { actor, perform, told, looks: () => looks, confirmed };
  };
}
type Rig = ReturnType<ReturnType<typeof prepare>>;

const context = ({ actor }: Rig) => actor.getSnapshot().context;

walkTests<Rig>({
  machine: deskMachine,
  prepare,
  starts: ["a list that people work off", "a list that changes by itself"],
  moves: [
    {
      ...sent({ type: "deed.requested", deed: done }, "something is to be done"),
      may: (rig) => context(rig).deeds.length < 2,
    },
    {
      ...sent({ type: "deed.requested", deed: removed }, "something is to be deleted"),
      may: (rig) => context(rig).deeds.length < 2,
    },
    {
      ...sent({ type: "deed.confirmed" }),
      happen: ({ actor, confirmed }) => {
        confirmed.times += 1;
        actor.send({ type: "deed.confirmed" });
      },
    },
    sent({ type: "deed.dismissed" }),
    answered(
      "it is done",
      ({ perform }: Rig) => perform,
      () => undefined,
    ),
    refused("it can't be done", ({ perform }: Rig) => perform, failure("conflict")),
    untilNextTimer,
  ],
  situation: (rig) => [
    context(rig)
      .deeds.map(({ action }) => action)
      .join(),
    context(rig).failure,
    rig.told.at(-1)?.action,
    Math.min(1, rig.looks()),
  ],
  rules: {
    "one thing at a time": ({ perform }) => perform.open().length <= 1,
    "nothing is deleted without being asked once more": ({ perform, told, confirmed }) =>
      [...told, ...perform.open().map(({ input }) => input?.deed)].filter((deed) => deed?.action === "delete").length <=
      confirmed.times,
    "one is asked about what comes first": (rig) => {
      const asked = selectAskedDeed(rig.actor.getSnapshot());
      return asked === null || asked === context(rig).deeds[0];
    },
    "what is wanted is not forgotten": (rig) =>
      context(rig).deeds.length === 0 || !rig.actor.getSnapshot().matches({ work: "idle" }),
    "a failure is not said while something is done": (rig) => rig.perform.open().length === 0 || context(rig).failure === null,
    "only a list that changes by itself is looked at again": (rig) => rig.looks() === 0 || context(rig).looks,
  },
});

import { createActor } from "xstate";
import { type RowAction, rowActionsMachine, selectAskedRowAction } from "#machines/admin/row-actions.ts";
import { answered, failure, refused, sent, untilNextTimer } from "#tests/paths/harness-moves.ts";
import type { Stage } from "#tests/paths/harness-stage.ts";
import { type RunOptions, walkTests } from "#tests/paths/harness-walk.ts";

const done = { action: "done", id: "1" };
const removed = { action: "delete", id: "2" };
const pollMs = 5_000;

function prepare(stage: Stage) {
  const perform = stage.asking<void, { rowAction: RowAction | undefined }>();
  const machine = rowActionsMachine.provide({ actors: { perform: perform.logic }, delays: { pollInterval: () => pollMs } });
  return ({ start, clock, inspect }: RunOptions) => {
    const input = { asksFirst: ["delete"], polls: start === "a list that changes by itself" };
    const actor = createActor(machine, { clock, inspect, input });
    const emitted: RowAction[] = [];
    let polls = 0;
    const confirmed = { times: 0 };
    actor.on("rowAction.done", ({ rowAction }) => emitted.push(rowAction));
    actor.on("poll.due", () => {
      polls += 1;
    });
    return { actor, perform, emitted, polls: () => polls, confirmed };
  };
}
type Rig = ReturnType<ReturnType<typeof prepare>>;

const context = ({ actor }: Rig) => actor.getSnapshot().context;

walkTests<Rig>({
  machine: rowActionsMachine,
  prepare,
  starts: ["a list that only people change", "a list that changes by itself"],
  moves: [
    {
      ...sent({ type: "rowAction.requested", rowAction: done }, "something is to be done"),
      may: (rig) => context(rig).rowActions.length < 2,
    },
    {
      ...sent({ type: "rowAction.requested", rowAction: removed }, "something is to be deleted"),
      may: (rig) => context(rig).rowActions.length < 2,
    },
    {
      ...sent({ type: "rowAction.confirmed" }),
      happen: ({ actor, confirmed }) => {
        confirmed.times += 1;
        actor.send({ type: "rowAction.confirmed" });
      },
    },
    sent({ type: "rowAction.dismissed" }),
    answered(
      "it is done",
      ({ perform }: Rig) => perform,
      () => undefined,
    ),
    refused("it can't be done", ({ perform }: Rig) => perform, failure("conflict")),
    refused("nobody answers", ({ perform }: Rig) => perform, failure("network")),
    untilNextTimer,
  ],
  situation: (rig) => [
    context(rig)
      .rowActions.map(({ action }) => action)
      .join(),
    context(rig).failure,
    rig.emitted.at(-1)?.action,
    Math.min(1, rig.polls()),
  ],
  rules: {
    "one thing at a time": ({ perform }) => perform.open().length <= 1,
    "nothing is deleted without being asked once more": ({ perform, emitted, confirmed }) =>
      [...emitted, ...perform.open().map(({ input }) => input?.rowAction)].filter((rowAction) => rowAction?.action === "delete")
        .length <= confirmed.times,
    "one is asked about what comes first": (rig) => {
      const asked = selectAskedRowAction(rig.actor.getSnapshot());
      return asked === null || asked === context(rig).rowActions[0];
    },
    "no requested action is lost": (rig) =>
      context(rig).rowActions.length === 0 || !rig.actor.getSnapshot().matches({ work: "idle" }),
    "a failure is not said while something is done": (rig) => rig.perform.open().length === 0 || context(rig).failure === null,
    "only a list that changes by itself is polled": (rig) => rig.polls() === 0 || context(rig).polls,
  },
});

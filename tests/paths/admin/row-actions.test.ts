import { createActor } from "xstate";
import { type RowAction, rowActionsMachine, selectAskedRowAction } from "#machines/admin/row-actions.ts";
import { answered, failure, refused, sent, untilNextTimer } from "#tests/paths/harness-moves.ts";
import type { Stubs } from "#tests/paths/harness-stubs.ts";
import { type RunOptions, walkTests } from "#tests/paths/harness-walk.ts";

const done = { action: "done", id: "1" };
const removed = { action: "delete", id: "2" };
const pollMs = 5_000;

function prepare(stubs: Stubs) {
  const perform = stubs.asking<void, { rowAction: RowAction | undefined }>();
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
type Harness = ReturnType<ReturnType<typeof prepare>>;

const context = ({ actor }: Harness) => actor.getSnapshot().context;

walkTests<Harness>({
  machine: rowActionsMachine,
  prepare,
  starts: ["a list that only people change", "a list that changes by itself"],
  moves: [
    {
      ...sent({ type: "rowAction.requested", rowAction: done }, "something is to be done"),
      may: (harness) => context(harness).rowActions.length < 2,
    },
    {
      ...sent({ type: "rowAction.requested", rowAction: removed }, "something is to be deleted"),
      may: (harness) => context(harness).rowActions.length < 2,
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
      ({ perform }: Harness) => perform,
      () => undefined,
    ),
    refused("it can't be done", ({ perform }: Harness) => perform, failure("conflict")),
    refused("nobody answers", ({ perform }: Harness) => perform, failure("network")),
    untilNextTimer,
  ],
  situation: (harness) => [
    context(harness)
      .rowActions.map(({ action }) => action)
      .join(),
    context(harness).failure,
    harness.emitted.at(-1)?.action,
    Math.min(1, harness.polls()),
  ],
  rules: {
    "one thing at a time": ({ perform }) => perform.open().length <= 1,
    "nothing is deleted without being asked once more": ({ perform, emitted, confirmed }) =>
      [...emitted, ...perform.open().map(({ input }) => input?.rowAction)].filter((rowAction) => rowAction?.action === "delete")
        .length <= confirmed.times,
    "one is asked about what comes first": (harness) => {
      const asked = selectAskedRowAction(harness.actor.getSnapshot());
      return asked === null || asked === context(harness).rowActions[0];
    },
    "no requested action is lost": (harness) =>
      context(harness).rowActions.length === 0 || !harness.actor.getSnapshot().matches({ work: "idle" }),
    "a failure is not said while something is done": (harness) =>
      harness.perform.open().length === 0 || context(harness).failure === null,
    "only a list that changes by itself is polled": (harness) => harness.polls() === 0 || context(harness).polls,
  },
});

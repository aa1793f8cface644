import { createActor } from "xstate";
import type { ScheduledStatus } from "#contract/index.ts";
import { scheduledPostingMachine, selectIsWriting } from "#machines/scheduled-posting/machine.ts";
import { scheduled, seen } from "#tests/machines/scheduled-posting/rig.ts";
import { answer, answered, refused, sent, untilNextTimer } from "#tests/paths/harness-moves.ts";
import type { Stage } from "#tests/paths/harness-stage.ts";
import { type RunOptions, walkTests } from "#tests/paths/harness-walk.ts";

const running = seen({ status: "running" });
const off = seen({ enabled: false, nextRunTime: null });
const unknown = answer(404, "notFound");
const silent = answer(0, "network");

function prepare(stage: Stage) {
  const fetchStatus = stage.asking<ScheduledStatus>();
  const trigger = stage.asking<ScheduledStatus>();
  const skipNext = stage.asking<ScheduledStatus, { skip: boolean }>();
  const machine = scheduledPostingMachine.provide({
    actors: { fetchStatus: fetchStatus.logic, trigger: trigger.logic, skipNext: skipNext.logic },
  });
  return ({ clock, inspect }: RunOptions) => ({
    actor: createActor(machine, { clock, inspect, input: { now: () => scheduled.at } }),
    fetchStatus,
    trigger,
    skipNext,
  });
}
type Rig = ReturnType<ReturnType<typeof prepare>>;

const asked = ({ fetchStatus }: Rig) => fetchStatus;
const triggered = ({ trigger }: Rig) => trigger;
const skipped = ({ skipNext }: Rig) => skipNext;
const context = ({ actor }: Rig) => actor.getSnapshot().context;
const status = (rig: Rig) => context(rig).seen?.status;

walkTests<Rig>({
  machine: scheduledPostingMachine,
  prepare,
  moves: [
    sent({ type: "status.requested" }),
    sent({ type: "trigger.requested" }),
    sent({ type: "skip.requested", skip: true }, "the next run is not wanted"),
    sent({ type: "skip.requested", skip: false }, "it is wanted after all"),
    answered("it waits for its time", asked, () => scheduled.status),
    answered("a post is being written", asked, () => running.status),
    answered("nothing is scheduled", asked, () => off.status),
    refused("the server does not know it", asked, unknown),
    refused("there is no answer", asked, silent),
    answered("the run has begun", triggered, () => running.status),
    answered("the run was skipped at once", triggered, () => scheduled.status),
    refused("the server does not know of runs", triggered, unknown),
    refused("there is no answer to the run", triggered, silent),
    answered("it is skipped", skipped, (_, input) => seen({ skipsNext: input?.skip ?? false }).status),
    refused("the server does not know of skipping", skipped, unknown),
    refused("there is no answer to skipping", skipped, silent),
    untilNextTimer,
  ],
  situation: (rig) => [
    status(rig)?.status,
    status(rig)?.enabled,
    status(rig)?.skipsNext,
    context(rig).begun,
    context(rig).failure,
    context(rig).staleness,
  ],
  rules: {
    "one call at a time": ({ fetchStatus, trigger, skipNext }) =>
      fetchStatus.open().length + trigger.open().length + skipNext.open().length <= 1,
    "nothing is begun while a post is being written": (rig) =>
      rig.trigger.open().length === 0 || !selectIsWriting(rig.actor.getSnapshot()),
    "only what is scheduled is skipped": (rig) => rig.skipNext.open().length === 0 || status(rig)?.enabled === true,
    "what the server does not know shows nothing": (rig) =>
      !rig.actor.getSnapshot().matches("unavailable") || context(rig).seen === null,
    "a failure is not said while it is tried again": (rig) =>
      rig.trigger.open().length + rig.skipNext.open().length === 0 || context(rig).failure === null,
    "it is looked again, unless somebody has to ask": (rig, clock) =>
      !rig.actor.getSnapshot().matches({ ready: "resting" }) || clock.untilNext() !== undefined,
  },
});

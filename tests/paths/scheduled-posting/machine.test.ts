import { createActor } from "xstate";
import type { ScheduledStatus } from "#contract/index.ts";
import { scheduledPostingMachine, selectIsWriting } from "#machines/scheduled-posting/machine.ts";
import { scheduled, seen } from "#tests/machines/scheduled-posting/harness.ts";
import { answer, answered, refused, sent, untilNextTimer } from "#tests/paths/harness-moves.ts";
import type { Stubs } from "#tests/paths/harness-stubs.ts";
import { type RunOptions, walkTests } from "#tests/paths/harness-walk.ts";

const running = seen({ status: "running" });
const off = seen({ enabled: false, nextRunTime: null });
const unknown = answer(404, "notFound");
const silent = answer(0, "network");

function prepare(stubs: Stubs) {
  const fetchStatus = stubs.asking<ScheduledStatus>();
  const trigger = stubs.asking<ScheduledStatus>();
  const skipNext = stubs.asking<ScheduledStatus, { skip: boolean }>();
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
type Harness = ReturnType<ReturnType<typeof prepare>>;

const asked = ({ fetchStatus }: Harness) => fetchStatus;
const triggered = ({ trigger }: Harness) => trigger;
const skipped = ({ skipNext }: Harness) => skipNext;
const context = ({ actor }: Harness) => actor.getSnapshot().context;
const status = (harness: Harness) => context(harness).seen?.status;

walkTests<Harness>({
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
  situation: (harness) => [
    status(harness)?.status,
    status(harness)?.enabled,
    status(harness)?.skipsNext,
    context(harness).begun,
    context(harness).failure,
    context(harness).staleness,
  ],
  rules: {
    "one call at a time": ({ fetchStatus, trigger, skipNext }) =>
      fetchStatus.open().length + trigger.open().length + skipNext.open().length <= 1,
    "nothing is begun while a post is being written": (harness) =>
      harness.trigger.open().length === 0 || !selectIsWriting(harness.actor.getSnapshot()),
    "only what is scheduled is skipped": (harness) => harness.skipNext.open().length === 0 || status(harness)?.enabled === true,
    "what the server does not know shows nothing": (harness) =>
      !harness.actor.getSnapshot().matches("unavailable") || context(harness).seen === null,
    "a failure is not said while it is tried again": (harness) =>
      harness.trigger.open().length + harness.skipNext.open().length === 0 || context(harness).failure === null,
    "it is looked again, unless somebody has to ask": (harness, clock) =>
      !harness.actor.getSnapshot().matches({ ready: "resting" }) || clock.untilNext() !== undefined,
  },
});

import { createActor, fromCallback } from "xstate";
import type { DeviceModelEvent, StoredModel } from "#machines/device-models/events.ts";
import { deviceModelMachine } from "#machines/device-models/machine.ts";
import { idleMs } from "#machines/device-models/rules.ts";
import { selectFailure, selectIsOnDevice, selectMayListen, selectPhase } from "#machines/device-models/selectors.ts";
import { answered, failure, refused, said, sent, untilNextTimer } from "#tests/paths/harness-moves.ts";
import type { Stubs } from "#tests/paths/harness-stubs.ts";
import { type Move, type RunOptions, walkTests } from "#tests/paths/harness-walk.ts";

function prepare(stubs: Stubs) {
  const calls = {
    check: stubs.asking<StoredModel>(),
    fetch: stubs.asking<void>(),
    verify: stubs.asking<void>(),
    discard: stubs.asking<void>(),
    awaitOther: stubs.asking<void>(),
  };
  const worker = stubs.callback<DeviceModelEvent>();
  const wakeUps = stubs.callback<DeviceModelEvent>();
  const machine = deviceModelMachine.provide({
    actors: {
      check: calls.check.logic,
      fetch: calls.fetch.logic,
      verify: calls.verify.logic,
      discard: calls.discard.logic,
      awaitOther: calls.awaitOther.logic,
      worker: worker.logic,
      otherTabs: fromCallback<DeviceModelEvent>(() => {}),
      wakeUps: wakeUps.logic,
    },
    actions: { askForPersistence: () => {}, tellOtherTabs: () => {} },
  });
  return ({ clock, inspect }: RunOptions) => ({
    actor: createActor(machine, { clock, inspect }),
    ...calls,
    worker,
    wakeUps,
  });
}
type Harness = ReturnType<ReturnType<typeof prepare>>;

const phase = ({ actor }: Harness) => selectPhase(actor.getSnapshot());
const uses = ({ actor }: Harness) => actor.getSnapshot().context.uses;
const found = (kept: StoredModel["kept"], wasReplaced = false) =>
  answered(
    `${kept} is kept${wasReplaced ? ", an earlier version is deleted" : ""}`,
    ({ check }: Harness) => check,
    () => ({ kept, wasReplaced }),
  );
const nothing = () => undefined;
const event = { type: "use.begun" } as const;
const useBegun: Move<Harness> = {
  name: event.type,
  may: (harness) => harness.actor.getSnapshot().can(event) && uses(harness) < 2,
  happen: ({ actor }) => actor.send(event),
  event,
};

walkTests<Harness>({
  machine: deviceModelMachine,
  prepare,
  moves: [
    found("nothing"),
    found("nothing", true),
    found("part"),
    found("whole"),
    found("elsewhere"),
    refused("it can't be run here", ({ check }: Harness) => check, failure("noWasm")),
    refused("the storage can't be read", ({ check }: Harness) => check, failure("storage")),
    sent({ type: "download.requested" }),
    sent({ type: "pause.requested" }),
    sent({ type: "resume.requested" }),
    sent({ type: "cancel.requested" }),
    sent({ type: "retry.requested" }),
    sent({ type: "delete.requested" }),
    sent({ type: "slowness.noted" }),
    sent({ type: "storage.changed" }),
    // A third is like the second.
    useBegun,
    sent({ type: "use.ended" }),
    answered("it has arrived", ({ fetch }: Harness) => fetch, nothing),
    refused("the network is away", ({ fetch }: Harness) => fetch, failure("network")),
    refused("another tab downloads it", ({ fetch }: Harness) => fetch, failure("elsewhere")),
    refused("there is no room", ({ fetch }: Harness) => fetch, failure("noSpace")),
    answered("it is whole", ({ verify }: Harness) => verify, nothing),
    refused("it is damaged", ({ verify }: Harness) => verify, failure("damaged")),
    refused("it can't be read", ({ verify }: Harness) => verify, failure("storage")),
    answered("it is deleted", ({ discard }: Harness) => discard, nothing),
    refused("it can't be deleted", ({ discard }: Harness) => discard, failure("storage")),
    refused("another tab began to download it", ({ discard }: Harness) => discard, failure("elsewhere")),
    answered("the other tab is done", ({ awaitOther }: Harness) => awaitOther, nothing),
    refused("nobody knows of the other tab", ({ awaitOther }: Harness) => awaitOther, failure("internal")),
    said({ type: "page.resumed" }, ({ wakeUps }: Harness) => wakeUps),
    said({ type: "worker.loaded" }, ({ worker }: Harness) => worker),
    said({ type: "worker.failed", code: "workerLost" }, ({ worker }: Harness) => worker, "the worker is lost"),
    said({ type: "worker.failed", code: "damaged" }, ({ worker }: Harness) => worker, "the worker finds it damaged"),
    untilNextTimer,
  ],
  situation: ({ actor }) => {
    const { attempts, ...rest } = actor.getSnapshot().context;
    return [rest, Math.min(attempts, 2)];
  },
  rules: {
    "the storage is used by one at a time": ({ check, fetch, verify, discard }) =>
      [check, fetch, verify, discard].flatMap(({ open }) => open()).length <= 1,
    "the worker runs exactly while the model is opened or in memory": (harness) =>
      harness.worker.running() === (["loading", "running", "idle"].includes(phase(harness)) ? 1 : 0),
    "a used model stays in memory": (harness) => uses(harness) === 0 || ["loading", "running"].includes(phase(harness)),
    "an unused model leaves the memory after five minutes": (harness, clock) =>
      phase(harness) !== "idle" || (clock.untilNext() ?? Number.NaN) <= idleMs,
    "live words need a model on this device": ({ actor }) =>
      !selectMayListen(actor.getSnapshot()) || selectIsOnDevice(actor.getSnapshot()),
    "a failure has a reason": (harness) =>
      !["failed", "unsupported"].includes(phase(harness)) || selectFailure(harness.actor.getSnapshot()) !== null,
    "an interrupted download is tried again within 30 s": (harness, clock) =>
      phase(harness) !== "waiting" || (clock.untilNext() ?? Number.NaN) <= 30_000,
  },
});

import { createActor } from "xstate";
import {
  selectLeftovers,
  selectRecordingPhase,
  type VaultLeftover,
  type VaultRecordingEvent,
  vaultRecordingMachine,
} from "#machines/vault/recording.ts";
import { answered, failure, refused, said, sent, untilNextTimer } from "#tests/paths/harness-moves.ts";
import type { Stubs } from "#tests/paths/harness-stubs.ts";
import { type RunOptions, walkTests } from "#tests/paths/harness-walk.ts";

const leftover: VaultLeftover = { id: "l1", startedAt: 0, durationSeconds: 3 };

function prepare(stubs: Stubs) {
  const calls = {
    findLeftovers: stubs.asking<readonly VaultLeftover[]>(),
    openMicrophone: stubs.asking<void>(),
    finish: stubs.asking<void>(),
    saveLeftover: stubs.asking<void, { id: string }>(),
    discardLeftover: stubs.asking<void, { id: string }>(),
  };
  const capture = stubs.callback<VaultRecordingEvent>();
  const { findLeftovers, openMicrophone, finish, saveLeftover, discardLeftover } = calls;
  const machine = vaultRecordingMachine.provide({
    actors: {
      findLeftovers: findLeftovers.logic,
      openMicrophone: openMicrophone.logic,
      finish: finish.logic,
      saveLeftover: saveLeftover.logic,
      discardLeftover: discardLeftover.logic,
      capture: capture.logic,
    },
  });
  return ({ clock, inspect }: RunOptions) => {
    const actor = createActor(machine, { clock, inspect });
    let captures = 0;
    let capturing = false;
    actor.subscribe((snapshot) => {
      if (snapshot.matches("capturing") && !capturing) captures += 1;
      capturing = snapshot.matches("capturing");
    });
    return { actor, ...calls, capture, captures: () => captures };
  };
}
type Harness = ReturnType<ReturnType<typeof prepare>>;

const phase = ({ actor }: Harness) => selectRecordingPhase(actor.getSnapshot());
const nothing = () => undefined;

walkTests<Harness>({
  machine: vaultRecordingMachine,
  prepare,
  moves: [
    answered(
      "something was cut off",
      ({ findLeftovers }: Harness) => findLeftovers,
      () => [leftover],
    ),
    answered(
      "nothing was cut off",
      ({ findLeftovers }: Harness) => findLeftovers,
      () => [],
    ),
    refused("the browser keeps nothing", ({ findLeftovers }: Harness) => findLeftovers, failure("internal")),
    sent({ type: "start.requested" }),
    sent({ type: "stop.requested" }),
    answered("the microphone is there", ({ openMicrophone }: Harness) => openMicrophone, nothing),
    refused("the microphone is refused", ({ openMicrophone }: Harness) => openMicrophone, failure("refused")),
    said({ type: "microphone.lost" }, ({ capture }: Harness) => capture),
    said({ type: "storage.troubled" }, ({ capture }: Harness) => capture),
    answered("it is on its way", ({ finish }: Harness) => finish, nothing),
    refused("it could not be ended", ({ finish }: Harness) => finish, failure("internal")),
    sent({ type: "leftover.saveRequested", id: "l1" }),
    sent({ type: "leftover.discardRequested", id: "l1" }),
    sent({ type: "leftovers.changed" }),
    answered("the leftover is on its way", ({ saveLeftover }: Harness) => saveLeftover, nothing),
    refused("the vault is locked", ({ saveLeftover }: Harness) => saveLeftover, failure("locked")),
    answered("the leftover is gone", ({ discardLeftover }: Harness) => discardLeftover, nothing),
    refused("the leftover stays", ({ discardLeftover }: Harness) => discardLeftover, failure("internal")),
    untilNextTimer,
  ],
  isLocal: "what is recorded is kept in the browser; a transfer of its own sends it (transfer.test.ts)",
  situation: (harness) => {
    const { leftovers, failure: why, lost, troubled } = harness.actor.getSnapshot().context;
    return [leftovers.length, why, lost, troubled];
  },
  rules: {
    "the microphone is heard exactly while it records": (harness) =>
      harness.capture.running() === (["recording", "stopping"].includes(phase(harness)) ? 1 : 0),
    "what was recorded is finished, once": (harness) => harness.finish.times() + harness.capture.running() === harness.captures(),
    "nobody is asked twice for the microphone at a time": ({ openMicrophone }) => openMicrophone.open().length <= 1,
    "a recording ends within 300 ms of Stop": (harness, clock) =>
      phase(harness) !== "stopping" || (clock.untilNext() ?? Number.NaN) <= 300,
    "leftovers are offered only while nothing else is done": (harness) =>
      selectLeftovers(harness.actor.getSnapshot()).length === 0 || phase(harness) === "idle",
  },
});

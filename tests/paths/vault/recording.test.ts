import { createActor } from "xstate";
import {
  selectLeftovers,
  selectRecordingPhase,
  type VaultLeftover,
  type VaultRecordingEvent,
  vaultRecordingMachine,
} from "#machines/vault/recording.ts";
import { answered, failure, refused, said, sent, untilNextTimer } from "#tests/paths/harness-moves.ts";
import type { Stage } from "#tests/paths/harness-stage.ts";
import { type RunOptions, walkTests } from "#tests/paths/harness-walk.ts";

const leftover: VaultLeftover = { id: "l1", startedAt: 0, durationSeconds: 3 };

function prepare(stage: Stage) {
  const calls = {
    findLeftovers: stage.asking<readonly VaultLeftover[]>(),
    openMicrophone: stage.asking<void>(),
    finish: stage.asking<void>(),
    saveLeftover: stage.asking<void, { id: string }>(),
    discardLeftover: stage.asking<void, { id: string }>(),
  };
  const capture = stage.callback<VaultRecordingEvent>();
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
type Rig = ReturnType<ReturnType<typeof prepare>>;

const phase = ({ actor }: Rig) => selectRecordingPhase(actor.getSnapshot());
const nothing = () => undefined;

walkTests<Rig>({
  machine: vaultRecordingMachine,
  prepare,
  moves: [
    answered(
      "something was cut off",
      ({ findLeftovers }: Rig) => findLeftovers,
      () => [leftover],
    ),
    answered(
      "nothing was cut off",
      ({ findLeftovers }: Rig) => findLeftovers,
      () => [],
    ),
    refused("the browser keeps nothing", ({ findLeftovers }: Rig) => findLeftovers, failure("internal")),
    sent({ type: "start.requested" }),
    sent({ type: "stop.requested" }),
    answered("the microphone is there", ({ openMicrophone }: Rig) => openMicrophone, nothing),
    refused("the microphone is refused", ({ openMicrophone }: Rig) => openMicrophone, failure("refused")),
    said({ type: "microphone.lost" }, ({ capture }: Rig) => capture),
    said({ type: "storage.troubled" }, ({ capture }: Rig) => capture),
    answered("it is on its way", ({ finish }: Rig) => finish, nothing),
    refused("it could not be ended", ({ finish }: Rig) => finish, failure("internal")),
    sent({ type: "leftover.saveRequested", id: "l1" }),
    sent({ type: "leftover.discardRequested", id: "l1" }),
    sent({ type: "leftovers.changed" }),
    answered("the leftover is on its way", ({ saveLeftover }: Rig) => saveLeftover, nothing),
    refused("the vault is locked", ({ saveLeftover }: Rig) => saveLeftover, failure("locked")),
    answered("the leftover is gone", ({ discardLeftover }: Rig) => discardLeftover, nothing),
    refused("the leftover stays", ({ discardLeftover }: Rig) => discardLeftover, failure("internal")),
    untilNextTimer,
  ],
  isLocal: "what is recorded is kept in the browser; a transfer of its own sends it (transfer.test.ts)",
  situation: (rig) => {
    const { leftovers, failure: why, lost, troubled } = rig.actor.getSnapshot().context;
    return [leftovers.length, why, lost, troubled];
  },
  rules: {
    "the microphone is heard exactly while it records": (rig) =>
      rig.capture.running() === (["recording", "stopping"].includes(phase(rig)) ? 1 : 0),
    "what was recorded is finished, once": (rig) => rig.finish.times() + rig.capture.running() === rig.captures(),
    "nobody is asked twice for the microphone at a time": ({ openMicrophone }) => openMicrophone.open().length <= 1,
    "a recording ends within 300 ms of Stop": (rig, clock) =>
      phase(rig) !== "stopping" || (clock.untilNext() ?? Number.NaN) <= 300,
    "leftovers are offered only while nothing else is done": (rig) =>
      selectLeftovers(rig.actor.getSnapshot()).length === 0 || phase(rig) === "idle",
  },
});

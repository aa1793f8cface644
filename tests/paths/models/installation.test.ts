import { createActor, fromCallback } from "xstate";
import type { ModelCheck } from "#contract/index.ts";
import {
  type InstallationEmitted,
  type InstallationError,
  maxAttempts,
  modelInstallationMachine,
  selectState,
} from "#machines/models/installation.ts";
import { answered, outage, refused, sent, untilNextTimer } from "#tests/paths/harness-moves.ts";
import type { Stage } from "#tests/paths/harness-stage.ts";
import { type RunOptions, walkTests } from "#tests/paths/harness-walk.ts";

const sources = 2;

function prepare(stage: Stage) {
  const calls = {
    download: stage.asking<void, { id: string; source: number }>(),
    verify: stage.asking<ModelCheck, { id: string; source: number; isFromFile: boolean }>(),
    unpack: stage.asking<ModelCheck, { id: string; source: number; isFromFile: boolean; check: ModelCheck | null }>(),
    tryOut: stage.asking<void, { id: string }>(),
    place: stage.asking<void, { id: string; check: ModelCheck | null }>(),
    discard: stage.asking<void, { id: string }>(),
  };
  const { download, verify, unpack, tryOut, place, discard } = calls;
  const machine = modelInstallationMachine.provide({
    actors: {
      download: download.logic,
      verify: verify.logic,
      unpack: unpack.logic,
      tryOut: tryOut.logic,
      place: place.logic,
      discard: discard.logic,
    },
  });
  return ({ clock, inspect }: RunOptions) => {
    const slots: InstallationEmitted["type"][] = [];
    const queue = createActor(
      fromCallback<InstallationEmitted>(({ receive }) => receive(({ type }) => slots.push(type))),
    ).start();
    const actor = createActor(machine, { clock, inspect, input: { id: "m", sources, queue } });
    return { actor, ...calls, slots };
  };
}
type Rig = ReturnType<ReturnType<typeof prepare>>;

const thrown = (failure: string, more: Partial<InstallationError> = {}) =>
  Object.assign(new Error(failure), { failure, detail: failure, ...more });
const passing = { isPassing: true };

const context = ({ actor }: Rig) => actor.getSnapshot().context;
const state = ({ actor }: Rig) => selectState(actor.getSnapshot());
const hasSlot = ({ slots }: Rig) => slots.at(-1) === "slot.requested";
const asked = ({ download, verify, unpack, tryOut, place }: Rig) =>
  [download, verify, unpack, tryOut, place].reduce((sum, call) => sum + call.open().length, 0);

walkTests<Rig>({
  machine: modelInstallationMachine,
  prepare,
  moves: [
    sent({ type: "install.requested" }),
    sent({ type: "file.given" }),
    sent({ type: "pause.requested" }),
    sent({ type: "resume.requested" }),
    sent({ type: "cancel.requested" }),
    sent({ type: "slot.given" }),
    answered(
      "everything has arrived",
      ({ download }: Rig) => download,
      () => undefined,
    ),
    outage(refused("the connection breaks", ({ download }: Rig) => download, thrown("unreachable", passing))),
    refused(
      "it breaks after some bytes",
      ({ download }: Rig) => download,
      thrown("unreachable", { ...passing, hasProgressed: true }),
    ),
    refused("it is gone", ({ download }: Rig) => download, thrown("gone")),
    refused("the disk is full", ({ download }: Rig) => download, thrown("diskFull")),
    answered(
      "it is what was published",
      ({ verify }: Rig) => verify,
      (): ModelCheck => "release",
    ),
    refused("it is something else", ({ verify }: Rig) => verify, thrown("mismatch")),
    answered(
      "it is unpacked",
      ({ unpack }: Rig) => unpack,
      (): ModelCheck => "pinned",
    ),
    refused("the archive is damaged", ({ unpack }: Rig) => unpack, thrown("damaged")),
    refused("the archive is hostile", ({ unpack }: Rig) => unpack, thrown("hostile")),
    answered(
      "it answers",
      ({ tryOut }: Rig) => tryOut,
      () => undefined,
    ),
    refused("it does not answer", ({ tryOut }: Rig) => tryOut, thrown("unusable")),
    answered(
      "it is in its place",
      ({ place }: Rig) => place,
      () => undefined,
    ),
    refused("it can't be put in its place", ({ place }: Rig) => place, new Error("EACCES")),
    answered(
      "it is thrown away",
      ({ discard }: Rig) => discard,
      () => undefined,
    ),
    refused("it can't be thrown away", ({ discard }: Rig) => discard, new Error("EACCES")),
    untilNextTimer,
  ],
  situation: (rig) => {
    const { source, attempts, isFromFile, failure, isWantedAgain } = context(rig);
    // Attempts in between are like each other.
    return [source, attempts === 0 || attempts >= maxAttempts - 1 ? attempts : 1, isFromFile, failure, isWantedAgain];
  },
  rules: {
    "one thing at a time is done with it": (rig) => asked(rig) + rig.discard.open().length <= 1,
    "nothing is done with what waits, is paused, installed, failed or cancelled": (rig) =>
      !["waiting", "paused", "installed", "failed", "cancelled", null].includes(state(rig)) || asked(rig) === 0,
    "a slot is held exactly while it waits or is worked on, and given back once": (rig) =>
      hasSlot(rig) === rig.actor.getSnapshot().matches("working") &&
      rig.slots.every((slot, index) => slot === (index % 2 === 0 ? "slot.requested" : "slot.released")),
    "it is installed only after it was checked, unpacked, tried and placed": (rig) =>
      state(rig) !== "installed" || [rig.verify, rig.unpack, rig.tryOut, rig.place].every((call) => call.times() > 0),
    "what came as a file is never downloaded": (rig) => !context(rig).isFromFile || rig.download.open().length === 0,
    "a failure has a reason": (rig) => state(rig) !== "failed" || (context(rig).failure !== null && context(rig).detail !== null),
    "only sources that there are, are asked": (rig) => context(rig).source < sources,
    "a broken connection is tried again within a minute": (rig, clock) =>
      state(rig) !== "downloading" || rig.download.open().length === 1 || (clock.untilNext() ?? Number.NaN) <= 60_000,
    "what is thrown away was cancelled": (rig) => rig.discard.open().length === 0 || state(rig) === "cancelled",
  },
});

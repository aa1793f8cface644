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
import type { Stubs } from "#tests/paths/harness-stubs.ts";
import { type RunOptions, walkTests } from "#tests/paths/harness-walk.ts";

const sources = 2;

function prepare(stubs: Stubs) {
  const calls = {
    download: stubs.asking<void, { id: string; source: number }>(),
    verify: stubs.asking<ModelCheck, { id: string; source: number; isFromFile: boolean }>(),
    unpack: stubs.asking<ModelCheck, { id: string; source: number; isFromFile: boolean; check: ModelCheck | null }>(),
    tryOut: stubs.asking<void, { id: string }>(),
    place: stubs.asking<void, { id: string; check: ModelCheck | null }>(),
    discard: stubs.asking<void, { id: string }>(),
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
type Harness = ReturnType<ReturnType<typeof prepare>>;

const thrown = (failure: string, more: Partial<InstallationError> = {}) =>
  Object.assign(new Error(failure), { failure, detail: failure, ...more });
const passing = { isPassing: true };

const context = ({ actor }: Harness) => actor.getSnapshot().context;
const state = ({ actor }: Harness) => selectState(actor.getSnapshot());
const hasSlot = ({ slots }: Harness) => slots.at(-1) === "slot.requested";
const asked = ({ download, verify, unpack, tryOut, place }: Harness) =>
  [download, verify, unpack, tryOut, place].reduce((sum, call) => sum + call.open().length, 0);

walkTests<Harness>({
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
      ({ download }: Harness) => download,
      () => undefined,
    ),
    outage(refused("the connection breaks", ({ download }: Harness) => download, thrown("unreachable", passing))),
    refused(
      "it breaks after some bytes",
      ({ download }: Harness) => download,
      thrown("unreachable", { ...passing, hasProgressed: true }),
    ),
    refused("it is gone", ({ download }: Harness) => download, thrown("gone")),
    refused("the disk is full", ({ download }: Harness) => download, thrown("diskFull")),
    answered(
      "it is what was published",
      ({ verify }: Harness) => verify,
      (): ModelCheck => "release",
    ),
    refused("it is something else", ({ verify }: Harness) => verify, thrown("mismatch")),
    answered(
      "it is unpacked",
      ({ unpack }: Harness) => unpack,
      (): ModelCheck => "pinned",
    ),
    refused("the archive is damaged", ({ unpack }: Harness) => unpack, thrown("damaged")),
    refused("the archive is hostile", ({ unpack }: Harness) => unpack, thrown("hostile")),
    answered(
      "it answers",
      ({ tryOut }: Harness) => tryOut,
      () => undefined,
    ),
    refused("it does not answer", ({ tryOut }: Harness) => tryOut, thrown("unusable")),
    answered(
      "it is in its place",
      ({ place }: Harness) => place,
      () => undefined,
    ),
    refused("it can't be put in its place", ({ place }: Harness) => place, new Error("EACCES")),
    answered(
      "it is thrown away",
      ({ discard }: Harness) => discard,
      () => undefined,
    ),
    refused("it can't be thrown away", ({ discard }: Harness) => discard, new Error("EACCES")),
    untilNextTimer,
  ],
  situation: (harness) => {
    const { source, attempts, isFromFile, failure, isRequestedAgain } = context(harness);
    // Attempts in between are like each other.
    return [source, attempts === 0 || attempts >= maxAttempts - 1 ? attempts : 1, isFromFile, failure, isRequestedAgain];
  },
  rules: {
    "one thing at a time is done with it": (harness) => asked(harness) + harness.discard.open().length <= 1,
    "nothing is done with what waits, is paused, installed, failed or cancelled": (harness) =>
      !["waiting", "paused", "installed", "failed", "cancelled", null].includes(state(harness)) || asked(harness) === 0,
    "a slot is held exactly while it waits or is worked on, and given back once": (harness) =>
      hasSlot(harness) === harness.actor.getSnapshot().matches("working") &&
      harness.slots.every((slot, index) => slot === (index % 2 === 0 ? "slot.requested" : "slot.released")),
    "it is installed only after it was checked, unpacked, tried and placed": (harness) =>
      state(harness) !== "installed" ||
      [harness.verify, harness.unpack, harness.tryOut, harness.place].every((call) => call.times() > 0),
    "what came as a file is never downloaded": (harness) => !context(harness).isFromFile || harness.download.open().length === 0,
    "a failure has a reason": (harness) =>
      state(harness) !== "failed" || (context(harness).failure !== null && context(harness).detail !== null),
    "only sources that there are, are asked": (harness) => context(harness).source < sources,
    "a broken connection is tried again within a minute": (harness, clock) =>
      state(harness) !== "downloading" || harness.download.open().length === 1 || (clock.untilNext() ?? Number.NaN) <= 60_000,
    "what is thrown away was cancelled": (harness) => harness.discard.open().length === 0 || state(harness) === "cancelled",
  },
});

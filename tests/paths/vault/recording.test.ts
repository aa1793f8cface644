import { createActor } from "xstate";
import {
  selectLeftovers,
  selectRecordingPhase,
  selectWords,
  type VaultLeftover,
  type VaultRecordingEvent,
  type VaultWords,
  vaultRecordingMachine,
} from "#machines/vault/recording.ts";
import { answered, failure, refused, said, sent, untilNextTimer } from "#tests/paths/harness-moves.ts";
import type { Stubs } from "#tests/paths/harness-stubs.ts";
import { type RunOptions, walkTests } from "#tests/paths/harness-walk.ts";

const leftover: VaultLeftover = { id: "l1", startedAt: 0, durationSeconds: 3 };

function prepare(stubs: Stubs) {
  const calls = {
    findLeftovers: stubs.asking<readonly VaultLeftover[]>(),
    openMicrophone: stubs.asking<VaultWords>(),
    finish: stubs.asking<void>(),
    finishWords: stubs.asking<boolean>(),
    consign: stubs.asking<void, { words: VaultWords }>(),
    saveLeftover: stubs.asking<void, { id: string }>(),
    discardLeftover: stubs.asking<void, { id: string }>(),
  };
  const capture = stubs.callback<VaultRecordingEvent, VaultRecordingEvent, { words: VaultWords }>();
  const { findLeftovers, openMicrophone, finish, finishWords, consign, saveLeftover, discardLeftover } = calls;
  const machine = vaultRecordingMachine.provide({
    actors: {
      findLeftovers: findLeftovers.logic,
      openMicrophone: openMicrophone.logic,
      finish: finish.logic,
      finishWords: finishWords.logic,
      consign: consign.logic,
      saveLeftover: saveLeftover.logic,
      discardLeftover: discardLeftover.logic,
      capture: capture.logic,
    },
  });
  return ({ clock, inspect }: RunOptions) => {
    /** Words are on the page. */
    let shown = false;
    const hideWords = () => {
      shown = false;
    };
    const actor = createActor(machine.provide({ actions: { hideWords } }), { clock, inspect });
    let captures = 0;
    let capturing = false;
    actor.subscribe((snapshot) => {
      if (snapshot.matches("capturing") && !capturing) {
        captures += 1;
        shown = selectWords(snapshot) === "live";
      }
      capturing = snapshot.matches("capturing");
    });
    return { actor, ...calls, capture, captures: () => captures, isShown: () => shown };
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
    ...(["none", "live", "afterwards"] as const).map((words) =>
      answered(
        `the microphone is there, words: ${words}`,
        ({ openMicrophone }: Harness) => openMicrophone,
        () => words,
      ),
    ),
    refused("the microphone is refused", ({ openMicrophone }: Harness) => openMicrophone, failure("refused")),
    said({ type: "microphone.lost" }, ({ capture }: Harness) => capture),
    said({ type: "storage.troubled" }, ({ capture }: Harness) => capture),
    said({ type: "words.failed", code: "tooSlow" }, ({ capture }: Harness) => capture),
    sent({ type: "vault.locked" }),
    answered("all of the sound is there", ({ finish }: Harness) => finish, nothing),
    refused("it could not be ended", ({ finish }: Harness) => finish, failure("internal")),
    ...[true, false].map((hasWords) =>
      answered(
        hasWords ? "there are words" : "nobody spoke",
        ({ finishWords }: Harness) => finishWords,
        () => hasWords,
      ),
    ),
    refused("the recogniser is lost", ({ finishWords }: Harness) => finishWords, failure("workerLost")),
    answered("it is on its way", ({ consign }: Harness) => consign, nothing),
    refused("it could not be sealed", ({ consign }: Harness) => consign, failure("network")),
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
    const { leftovers, failure: why, lost, troubled, words, wordsFailure, silent } = harness.actor.getSnapshot().context;
    return [leftovers.length, why, lost, troubled, words, wordsFailure, silent];
  },
  rules: {
    "the microphone is heard exactly while it records": (harness) =>
      harness.capture.running() === (["recording", "stopping"].includes(phase(harness)) ? 1 : 0),
    "what was recorded is finished, once": (harness) => harness.finish.times() + harness.capture.running() === harness.captures(),
    "nobody is asked twice for the microphone at a time": ({ openMicrophone }) => openMicrophone.open().length <= 1,
    "a recording ends within 300 ms of Stop": (harness, clock) =>
      phase(harness) !== "stopping" || (clock.untilNext() ?? Number.NaN) <= 300,
    "what is finished becomes a transfer, once": ({ finish, consign }) => consign.times() <= finish.times(),
    "words are awaited only while they are live, and at most for a minute": (harness, clock) =>
      phase(harness) !== "understanding" ||
      (selectWords(harness.actor.getSnapshot()) === "live" && (clock.untilNext() ?? Number.NaN) <= 60_000),
    "no word is on the page once the vault was locked": (harness) =>
      selectWords(harness.actor.getSnapshot()) !== "cut" || !harness.isShown(),
    "leftovers are offered only while nothing else is done": (harness) =>
      selectLeftovers(harness.actor.getSnapshot()).length === 0 || phase(harness) === "idle",
  },
});

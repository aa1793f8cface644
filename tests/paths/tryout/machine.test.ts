import { createActor } from "xstate";
import {
  type KeptTry,
  selectIsDisconnected,
  type TryLanguages,
  type TryOutEvent,
  tryOutMachine,
} from "#machines/tryout/machine.ts";
import { answered, failure, outage, refused, said, sent, untilNextTimer } from "#tests/paths/harness-moves.ts";
import type { Stage } from "#tests/paths/harness-stage.ts";
import { type RunOptions, walkTests } from "#tests/paths/harness-walk.ts";

const english: TryLanguages = { source: "en", target: "es" };

function prepare(stage: Stage) {
  const find = stage.asking<KeptTry | null>();
  const openMicrophone = stage.asking<void, TryLanguages>();
  const keep = stage.asking<KeptTry | null, { isHeard: boolean }>();
  const adopt = stage.asking<string, { ownerId: string }>();
  const discard = stage.asking<void>();
  const capture = stage.callback<TryOutEvent>();
  const connection = stage.callback<TryOutEvent, TryOutEvent, TryLanguages>();
  const sound = stage.callback<TryOutEvent>();
  const actors = { find, openMicrophone, keep, adopt, discard, capture, connection, sound };
  const machine = tryOutMachine.provide({
    actors: {
      find: find.logic,
      openMicrophone: openMicrophone.logic,
      keep: keep.logic,
      adopt: adopt.logic,
      discard: discard.logic,
      capture: capture.logic,
      connection: connection.logic,
      sound: sound.logic,
    },
  });
  return ({ clock, inspect }: RunOptions) => ({
    actor: createActor(machine, { clock, inspect, input: { mayHear: true } }),
    ...actors,
  });
}
type Rig = ReturnType<ReturnType<typeof prepare>>;

const context = ({ actor }: Rig) => actor.getSnapshot().context;
const capture = (rig: Rig) => rig.capture;
const connection = (rig: Rig) => rig.connection;
const is = (rig: Rig, state: "idle" | "kept" | "hearing") => rig.actor.getSnapshot().matches(state);

walkTests<Rig>({
  machine: tryOutMachine,
  prepare,
  moves: [
    sent({ type: "start.requested", languages: english }),
    sent({ type: "stop.requested" }),
    sent({ type: "languages.chosen", languages: { source: "en", target: null } }),
    sent({ type: "discard.requested" }),
    sent({ type: "adoption.requested", ownerId: "ada" }),
    answered(
      "nothing was left",
      (rig) => rig.find,
      () => null,
    ),
    answered(
      "something was left",
      (rig) => rig.find,
      () => ({ seconds: 4, isHeard: false, languages: english }),
    ),
    answered(
      "something was left with all its words",
      (rig) => rig.find,
      () => ({ seconds: 4, isHeard: true, languages: english }),
    ),
    refused("the browser does not say what was left", (rig) => rig.find, failure("internal")),
    answered(
      "the microphone is open",
      (rig) => rig.openMicrophone,
      () => undefined,
    ),
    refused("the microphone is not allowed", (rig) => rig.openMicrophone, failure("refused")),
    answered(
      "it is kept",
      (rig) => rig.keep,
      (_, input) => ({ seconds: 4, isHeard: input?.isHeard === true, languages: english }),
    ),
    answered(
      "there was no sound",
      (rig) => rig.keep,
      () => null,
    ),
    refused("it can't be kept", (rig) => rig.keep, failure("storageFull")),
    answered(
      "it is theirs",
      (rig) => rig.adopt,
      () => "recording",
    ),
    refused("it can't be theirs", (rig) => rig.adopt, failure("storageFull")),
    answered(
      "it is gone",
      (rig) => rig.discard,
      () => undefined,
    ),
    refused("it stays", (rig) => rig.discard, failure("internal")),
    said({ type: "microphone.unplugged" }, capture),
    said({ type: "connection.opened" }, connection),
    outage(said({ type: "connection.lost", code: null }, connection)),
    said({ type: "connection.lost", code: "tooManyAtOnce" }, connection, "there is no place"),
    said({ type: "limit.reached" }, connection),
    said({ type: "recording.done" }, connection),
    said({ type: "recording.over" }, connection),
    untilNextTimer,
  ],
  situation: (rig) => [context(rig).failure, context(rig).isHeard, context(rig).kept?.isHeard, Math.min(context(rig).losses, 1)],
  rules: {
    "the microphone is open only while somebody speaks": (rig) =>
      rig.capture.running() === Number(rig.actor.getSnapshot().matches({ hearing: { work: "recording" } })),
    "one connection, and only while something is heard": (rig) =>
      rig.connection.running() === Number(is(rig, "hearing") && !selectIsDisconnected(rig.actor.getSnapshot())),
    "the sound can be played only while it is kept": (rig) => rig.sound.running() === Number(is(rig, "kept")),
    "a lost connection is tried again": (rig, clock) =>
      !selectIsDisconnected(rig.actor.getSnapshot()) || clock.untilNext() !== undefined,
    "nothing is open at rest": (rig) =>
      !(is(rig, "idle") || is(rig, "kept")) || rig.keep.open().length + rig.adopt.open().length + rig.discard.open().length === 0,
    "a failure is not said while it is tried again": (rig) =>
      rig.openMicrophone.open().length === 0 || context(rig).failure === null,
  },
});

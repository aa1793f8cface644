import { createActor } from "xstate";
import {
  type PersistedTry,
  selectIsDisconnected,
  type TryLanguages,
  type TryOutEvent,
  tryOutMachine,
} from "#machines/tryout/machine.ts";
import { answered, failure, outage, refused, said, sent, untilNextTimer } from "#tests/paths/harness-moves.ts";
import type { Stubs } from "#tests/paths/harness-stubs.ts";
import { type RunOptions, walkTests } from "#tests/paths/harness-walk.ts";

const english: TryLanguages = { source: "en", target: "es" };

function prepare(stubs: Stubs) {
  const find = stubs.asking<PersistedTry | null>();
  const openMicrophone = stubs.asking<void, TryLanguages>();
  const keep = stubs.asking<PersistedTry | null, { isRecognized: boolean }>();
  const adopt = stubs.asking<string, { ownerId: string }>();
  const discard = stubs.asking<void>();
  const capture = stubs.callback<TryOutEvent>();
  const connection = stubs.callback<TryOutEvent, TryOutEvent, TryLanguages>();
  const sound = stubs.callback<TryOutEvent>();
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
    actor: createActor(machine, { clock, inspect, input: { mayRecognize: true } }),
    ...actors,
  });
}
type Harness = ReturnType<ReturnType<typeof prepare>>;

const context = ({ actor }: Harness) => actor.getSnapshot().context;
const capture = (harness: Harness) => harness.capture;
const connection = (harness: Harness) => harness.connection;
const is = (harness: Harness, state: "idle" | "kept" | "recognizing") => harness.actor.getSnapshot().matches(state);

walkTests<Harness>({
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
      (harness) => harness.find,
      () => null,
    ),
    answered(
      "something was left",
      (harness) => harness.find,
      () => ({ seconds: 4, isRecognized: false, languages: english }),
    ),
    answered(
      "something was left with all its words",
      (harness) => harness.find,
      () => ({ seconds: 4, isRecognized: true, languages: english }),
    ),
    refused("the browser does not say what was left", (harness) => harness.find, failure("internal")),
    answered(
      "the microphone is open",
      (harness) => harness.openMicrophone,
      () => undefined,
    ),
    refused("the microphone is not allowed", (harness) => harness.openMicrophone, failure("refused")),
    answered(
      "it is kept",
      (harness) => harness.keep,
      (_, input) => ({ seconds: 4, isRecognized: input?.isRecognized === true, languages: english }),
    ),
    answered(
      "there was no sound",
      (harness) => harness.keep,
      () => null,
    ),
    refused("it can't be kept", (harness) => harness.keep, failure("storageFull")),
    answered(
      "it is theirs",
      (harness) => harness.adopt,
      () => "recording",
    ),
    refused("it can't be theirs", (harness) => harness.adopt, failure("storageFull")),
    answered(
      "it is gone",
      (harness) => harness.discard,
      () => undefined,
    ),
    refused("it stays", (harness) => harness.discard, failure("internal")),
    said({ type: "microphone.unplugged" }, capture),
    said({ type: "connection.opened" }, connection),
    outage(said({ type: "connection.lost", code: null }, connection)),
    said({ type: "connection.lost", code: "tooManyAtOnce" }, connection, "there is no place"),
    said({ type: "limit.reached" }, connection),
    said({ type: "recording.done" }, connection),
    said({ type: "recording.over" }, connection),
    untilNextTimer,
  ],
  situation: (harness) => [
    context(harness).failure,
    context(harness).isRecognized,
    context(harness).persisted?.isRecognized,
    Math.min(context(harness).losses, 1),
  ],
  rules: {
    "the microphone is open only while somebody speaks": (harness) =>
      harness.capture.running() === Number(harness.actor.getSnapshot().matches({ recognizing: { work: "recording" } })),
    "one connection, and only while something is heard": (harness) =>
      harness.connection.running() === Number(is(harness, "recognizing") && !selectIsDisconnected(harness.actor.getSnapshot())),
    "the sound can be played only while it is kept": (harness) => harness.sound.running() === Number(is(harness, "kept")),
    "a lost connection is tried again": (harness, clock) =>
      !selectIsDisconnected(harness.actor.getSnapshot()) || clock.untilNext() !== undefined,
    "nothing is open at rest": (harness) =>
      !(is(harness, "idle") || is(harness, "kept")) ||
      harness.keep.open().length + harness.adopt.open().length + harness.discard.open().length === 0,
    "a failure is not said while it is tried again": (harness) =>
      harness.openMicrophone.open().length === 0 || context(harness).failure === null,
  },
});

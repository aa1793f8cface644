import { createActor } from "xstate";
import { type ListenCommand, type RecognitionEvent, recognitionMachine } from "#machines/dictation/recognition/machine.ts";
import { lastWordsMs } from "#machines/dictation/recognition/rules.ts";
import { said, sent, untilNextTimer } from "#tests/paths/harness-moves.ts";
import type { Stubs } from "#tests/paths/harness-stubs.ts";
import { type Move, type RunOptions, walkTests } from "#tests/paths/harness-walk.ts";

function prepare(stubs: Stubs) {
  const listen = stubs.callback<RecognitionEvent, ListenCommand>();
  const wakeUps = stubs.callback<RecognitionEvent>();
  const machine = recognitionMachine.provide({ actors: { listen: listen.logic, wakeUps: wakeUps.logic } });
  return ({ clock, inspect }: RunOptions) => {
    const actor = createActor(machine, { clock, inspect });
    return { actor, listen, wakeUps };
  };
}
type Harness = ReturnType<ReturnType<typeof prepare>>;

const snapshot = ({ actor }: Harness) => actor.getSnapshot();
const listener = ({ listen }: Harness) => listen;
const fails = (problem: "noSpeech" | "network" | "notAllowed") =>
  said<Harness, RecognitionEvent, ListenCommand, unknown>(
    { type: "listening.failed", problem },
    listener,
    `it fails: ${problem}`,
  );
/** A browser reports the error, and then that it has ended. */
const withoutNetwork: Move<Harness> = {
  name: "there is no network",
  isOutage: true,
  may: (harness) => harness.listen.running() > 0 && snapshot(harness).can({ type: "listening.failed", problem: "network" }),
  happen: ({ listen }) => {
    listen.say({ type: "listening.failed", problem: "network" });
    listen.say({ type: "listening.ended" });
  },
};

walkTests<Harness>({
  machine: recognitionMachine,
  prepare,
  moves: [
    sent({ type: "pause.requested" }),
    sent({ type: "resume.requested" }),
    sent({ type: "finish.requested" }),
    said({ type: "words.recognized" }, listener),
    fails("noSpeech"),
    fails("network"),
    withoutNetwork,
    fails("notAllowed"),
    said({ type: "listening.ended" }, listener),
    said({ type: "page.resumed" }, ({ wakeUps }: Harness) => wakeUps),
    untilNextTimer,
  ],
  situation: (harness) => {
    const { hasRecognized, problem, attempts } = snapshot(harness).context;
    return [hasRecognized, problem, Math.min(attempts, 2)];
  },
  rules: {
    "it listens once at a time, and exactly while it says so": (harness) =>
      harness.listen.running() === (snapshot(harness).matches("listening") ? 1 : 0),
    "whoever has paused or stopped is not listened to for longer than the last words take": (harness, clock) =>
      !(snapshot(harness).matches({ listening: "pausing" }) || snapshot(harness).matches({ listening: "finishing" })) ||
      (clock.untilNext() ?? Number.NaN) <= lastWordsMs,
    "it is tried again within 30 s": (harness, clock) =>
      !snapshot(harness).matches("waiting") || (clock.untilNext() ?? Number.NaN) <= 30_000,
    "nobody listens any more after a refusal": (harness) =>
      snapshot(harness).context.problem !== "notAllowed" || harness.listen.running() === 0,
    "words end the trouble": (harness) => !snapshot(harness).context.hasRecognized || snapshot(harness).context.attempts === 0,
  },
});

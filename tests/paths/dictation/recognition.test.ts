import { createActor } from "xstate";
import { type ListenCommand, type RecognitionEvent, recognitionMachine } from "#machines/dictation/recognition/machine.ts";
import { lastWordsMs } from "#machines/dictation/recognition/rules.ts";
import { said, sent, untilNextTimer } from "#tests/paths/harness-moves.ts";
import type { Stage } from "#tests/paths/harness-stage.ts";
import { type Move, type RunOptions, walkTests } from "#tests/paths/harness-walk.ts";

function prepare(stage: Stage) {
  const listen = stage.callback<RecognitionEvent, ListenCommand>();
  const wakeUps = stage.callback<RecognitionEvent>();
  const machine = recognitionMachine.provide({ actors: { listen: listen.logic, wakeUps: wakeUps.logic } });
  return ({ clock, inspect }: RunOptions) => {
    const actor = createActor(machine, { clock, inspect });
    return { actor, listen, wakeUps };
  };
}
type Rig = ReturnType<ReturnType<typeof prepare>>;

const snapshot = ({ actor }: Rig) => actor.getSnapshot();
const listener = ({ listen }: Rig) => listen;
const fails = (problem: "noSpeech" | "network" | "notAllowed") =>
  said<Rig, RecognitionEvent, ListenCommand, unknown>({ type: "listening.failed", problem }, listener, `it fails: ${problem}`);
/** A browser says it, and then that it has ended. */
const withoutNetwork: Move<Rig> = {
  name: "there is no network",
  isOutage: true,
  may: (rig) => rig.listen.running() > 0 && snapshot(rig).can({ type: "listening.failed", problem: "network" }),
  happen: ({ listen }) => {
    listen.say({ type: "listening.failed", problem: "network" });
    listen.say({ type: "listening.ended" });
  },
};

walkTests<Rig>({
  machine: recognitionMachine,
  prepare,
  moves: [
    sent({ type: "pause.requested" }),
    sent({ type: "resume.requested" }),
    sent({ type: "finish.requested" }),
    said({ type: "words.heard" }, listener),
    fails("noSpeech"),
    fails("network"),
    withoutNetwork,
    fails("notAllowed"),
    said({ type: "listening.ended" }, listener),
    said({ type: "page.resumed" }, ({ wakeUps }: Rig) => wakeUps),
    untilNextTimer,
  ],
  situation: (rig) => {
    const { hasHeard, problem, attempts } = snapshot(rig).context;
    return [hasHeard, problem, Math.min(attempts, 2)];
  },
  rules: {
    "it listens once at a time, and exactly while it says so": (rig) =>
      rig.listen.running() === (snapshot(rig).matches("listening") ? 1 : 0),
    "whoever has paused or stopped is not listened to for longer than the last words take": (rig, clock) =>
      !(snapshot(rig).matches({ listening: "pausing" }) || snapshot(rig).matches({ listening: "finishing" })) ||
      (clock.untilNext() ?? Number.NaN) <= lastWordsMs,
    "it is tried again within 30 s": (rig, clock) =>
      !snapshot(rig).matches("waiting") || (clock.untilNext() ?? Number.NaN) <= 30_000,
    "nobody listens any more after a refusal": (rig) =>
      snapshot(rig).context.problem !== "notAllowed" || rig.listen.running() === 0,
    "words end the trouble": (rig) => !snapshot(rig).context.hasHeard || snapshot(rig).context.attempts === 0,
  },
});

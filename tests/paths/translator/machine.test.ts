import { createActor } from "xstate";
import type { TranslatorEvent, TurnCommand, TypedText } from "#machines/translator/events.ts";
import { translatorMachine } from "#machines/translator/machine.ts";
import { selectTurnFailure } from "#machines/translator/selectors.ts";
import { answered, failure, outage, refused, said, sent, untilNextTimer } from "#tests/paths/harness-moves.ts";
import type { Move } from "#tests/paths/harness-run.ts";
import type { Stage } from "#tests/paths/harness-stage.ts";
import { type RunOptions, walkTests } from "#tests/paths/harness-walk.ts";

function prepare(stage: Stage) {
  const compose = stage.asking<{ isSpoken: boolean }, TypedText>();
  const speak = stage.asking<void, { turnId: string | null }>();
  const replay = stage.asking<void, { turnId: string | null }>();
  const recorder = stage.callback<TranslatorEvent, TurnCommand>();
  const usage = stage.callback<TranslatorEvent>();
  const machine = translatorMachine.provide({
    actors: {
      compose: compose.logic,
      speak: speak.logic,
      replay: replay.logic,
      recorder: recorder.logic,
      usage: usage.logic,
    },
  });
  return ({ clock, inspect, start }: RunOptions) => {
    const isSpoken = start === "translations are spoken";
    const counts = { startsAtLimit: 0 };
    return { isSpoken, actor: createActor(machine, { clock, inspect }), compose, speak, replay, recorder, usage, counts };
  };
}
type Rig = ReturnType<ReturnType<typeof prepare>>;

const snapshot = ({ actor }: Rig) => actor.getSnapshot();
const speakWanted = sent<TranslatorEvent>({ type: "speak.requested", side: 0 });
const starts = ({ recorder }: Rig) => recorder.heard.filter(({ type }) => type === "start.requested").length;
const listener = ({ recorder }: Rig) => recorder;
const nothing = () => undefined;
const emitted = (event: TranslatorEvent, name?: string) => said(event, listener, name);
const saved: Move<Rig> = {
  name: "recording.saved",
  may: (rig) => rig.actor.getSnapshot().can({ type: "recording.saved", isSpoken: rig.isSpoken }),
  happen: ({ recorder, isSpoken }) => recorder.say({ type: "recording.saved", isSpoken }),
};

walkTests<Rig>({
  machine: translatorMachine,
  prepare,
  starts: ["translations are spoken", "translations are not spoken"],
  moves: [
    {
      ...speakWanted,
      happen: (rig, clock) => {
        const { isUsedUp } = snapshot(rig).context;
        const before = starts(rig);
        speakWanted.happen(rig, clock);
        if (isUsedUp) rig.counts.startsAtLimit += starts(rig) - before;
      },
    },
    sent({ type: "stop.requested" }),
    sent({ type: "pause.requested" }),
    sent({ type: "resume.requested" }),
    sent({ type: "retry.requested" }),
    sent({ type: "keep.requested" }),
    sent({ type: "discard.requested" }),
    sent({ type: "text.submitted", side: 0, text: "hello" }),
    sent({ type: "replay.requested", turnId: "t1" }),
    sent({ type: "translation.playRequested", turnId: "t1" }),
    sent({ type: "page.left" }),
    said({ type: "usage.changed", isUsedUp: true }, ({ usage }: Rig) => usage, "the minutes are used up"),
    said({ type: "usage.changed", isUsedUp: false }, ({ usage }: Rig) => usage, "there are minutes again"),
    emitted({ type: "recording.started" }),
    saved,
    emitted({ type: "speech.missed" }),
    emitted({ type: "recording.failed", failure: "refused" }, "the microphone is refused"),
    emitted({ type: "recording.failed", failure: "limitReached" }, "the server takes no more"),
    emitted({ type: "recorder.ready" }),
    answered(
      "the typed text is kept",
      ({ compose }: Rig) => compose,
      ({ isSpoken }) => ({ isSpoken }),
    ),
    refused("the typed text can't be kept", ({ compose }: Rig) => compose, failure("storageFull")),
    answered("it is spoken", ({ speak }: Rig) => speak, nothing),
    outage(refused("it can't be spoken", ({ speak }: Rig) => speak, failure("noVoice"))),
    answered("it is played", ({ replay }: Rig) => replay, nothing),
    outage(refused("it can't be played", ({ replay }: Rig) => replay, failure("notPlayed"))),
    untilNextTimer,
  ],
  situation: (rig) => {
    const { isAttended, typed, isUsedUp } = snapshot(rig).context;
    return [isAttended, typed !== null, isUsedUp, rig.isSpoken];
  },
  rules: {
    "nothing is spoken or played while somebody is recorded": (rig) =>
      !snapshot(rig).matches("turn") || rig.speak.open().length + rig.replay.open().length === 0,
    "one thing is heard at a time": ({ speak, replay }) => speak.open().length + replay.open().length <= 1,
    "one text is translated at a time": ({ compose }) => compose.open().length <= 1,
    "the recorder is followed all the time": ({ recorder }) => recorder.running() === 1,
    "who has no minutes left starts no recording": ({ counts }) => counts.startsAtLimit === 0,
    "a failure has a reason": (rig) => !snapshot(rig).hasTag("failed") || selectTurnFailure(snapshot(rig)) !== null,
  },
});

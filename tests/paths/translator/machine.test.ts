import { createActor } from "xstate";
import type { TranslatorEvent, TurnCommand, TypedText } from "#machines/translator/events.ts";
import { translatorMachine } from "#machines/translator/machine.ts";
import { selectTurnFailure } from "#machines/translator/selectors.ts";
import { answered, failure, outage, refused, said, sent, untilNextTimer } from "#tests/paths/harness-moves.ts";
import type { Move } from "#tests/paths/harness-run.ts";
import type { Stubs } from "#tests/paths/harness-stubs.ts";
import { type RunOptions, walkTests } from "#tests/paths/harness-walk.ts";

function prepare(stubs: Stubs) {
  const compose = stubs.asking<{ isSpoken: boolean }, TypedText>();
  const speak = stubs.asking<void, { turnId: string | null }>();
  const replay = stubs.asking<void, { turnId: string | null }>();
  const recorder = stubs.callback<TranslatorEvent, TurnCommand>();
  const usage = stubs.callback<TranslatorEvent>();
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
type Harness = ReturnType<ReturnType<typeof prepare>>;

const snapshot = ({ actor }: Harness) => actor.getSnapshot();
const speakWanted = sent<TranslatorEvent>({ type: "speak.requested", side: 0 });
const starts = ({ recorder }: Harness) => recorder.heard.filter(({ type }) => type === "start.requested").length;
const listener = ({ recorder }: Harness) => recorder;
const nothing = () => undefined;
const emitted = (event: TranslatorEvent, name?: string) => said(event, listener, name);
const saved: Move<Harness> = {
  name: "recording.saved",
  may: (harness) => harness.actor.getSnapshot().can({ type: "recording.saved", isSpoken: harness.isSpoken }),
  happen: ({ recorder, isSpoken }) => recorder.say({ type: "recording.saved", isSpoken }),
};

walkTests<Harness>({
  machine: translatorMachine,
  prepare,
  starts: ["translations are spoken", "translations are not spoken"],
  moves: [
    {
      ...speakWanted,
      happen: (harness, clock) => {
        const { isUsedUp } = snapshot(harness).context;
        const before = starts(harness);
        speakWanted.happen(harness, clock);
        if (isUsedUp) harness.counts.startsAtLimit += starts(harness) - before;
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
    said({ type: "usage.changed", isUsedUp: true }, ({ usage }: Harness) => usage, "the minutes are used up"),
    said({ type: "usage.changed", isUsedUp: false }, ({ usage }: Harness) => usage, "there are minutes again"),
    emitted({ type: "recording.started" }),
    saved,
    emitted({ type: "speech.missed" }),
    emitted({ type: "recording.failed", failure: "refused" }, "the microphone is refused"),
    emitted({ type: "recording.failed", failure: "limitReached" }, "the server takes no more"),
    emitted({ type: "recorder.ready" }),
    answered(
      "the typed text is kept",
      ({ compose }: Harness) => compose,
      ({ isSpoken }) => ({ isSpoken }),
    ),
    refused("the typed text can't be kept", ({ compose }: Harness) => compose, failure("storageFull")),
    answered("it is spoken", ({ speak }: Harness) => speak, nothing),
    outage(refused("it can't be spoken", ({ speak }: Harness) => speak, failure("noVoice"))),
    answered("it is played", ({ replay }: Harness) => replay, nothing),
    outage(refused("it can't be played", ({ replay }: Harness) => replay, failure("notPlayed"))),
    untilNextTimer,
  ],
  situation: (harness) => {
    const { isAttended, typed, isUsedUp } = snapshot(harness).context;
    return [isAttended, typed !== null, isUsedUp, harness.isSpoken];
  },
  rules: {
    "nothing is spoken or played while somebody is recorded": (harness) =>
      !snapshot(harness).matches("turn") || harness.speak.open().length + harness.replay.open().length === 0,
    "one thing is heard at a time": ({ speak, replay }) => speak.open().length + replay.open().length <= 1,
    "one text is translated at a time": ({ compose }) => compose.open().length <= 1,
    "the recorder is followed all the time": ({ recorder }) => recorder.running() === 1,
    "who has no minutes left starts no recording": ({ counts }) => counts.startsAtLimit === 0,
    "a failure has a reason": (harness) => !snapshot(harness).hasTag("failed") || selectTurnFailure(snapshot(harness)) !== null,
  },
});

import { createActor } from "xstate";
import {
  type LiveTranslationEvent,
  liveTranslationMachine,
  selectIsSettled,
  selectTexts,
} from "#machines/dictation/live-translation/machine.ts";
import { answered, failure, refused, sent, untilNextTimer } from "#tests/paths/harness-moves.ts";
import type { Stage } from "#tests/paths/harness-stage.ts";
import { type RunOptions, walkTests } from "#tests/paths/harness-walk.ts";

function prepare(stage: Stage) {
  const translate = stage.asking<string, { text: string }>();
  const machine = liveTranslationMachine.provide({ actors: { translate: translate.logic } });
  return ({ clock, inspect }: RunOptions) => ({ actor: createActor(machine, { clock, inspect }), translate });
}
type Rig = ReturnType<ReturnType<typeof prepare>>;

const snapshot = ({ actor }: Rig) => actor.getSnapshot();
const translate = (rig: Rig) => rig.translate;
const texts = (name: string, ...now: string[]) =>
  sent<LiveTranslationEvent>({ type: "texts.changed", texts: now.map((text) => ({ text })) }, name);
const hears = (text: string) => sent<LiveTranslationEvent>({ type: "interim.heard", text }, `"${text}" is heard`);

walkTests<Rig>({
  machine: liveTranslationMachine,
  prepare,
  moves: [
    hears("one two three"),
    hears("four five"),
    hears(""),
    texts("the first text is final", "one"),
    texts("the first text is another", "won"),
    texts("there is a second text", "one", "two"),
    texts("all begins anew"),
    sent<LiveTranslationEvent>({ type: "retry.requested" }),
    answered("it is translated", translate, (_, input) => `(${input?.text})`),
    refused("it can't be translated", translate, failure("network")),
    untilNextTimer,
  ],
  situation: (rig) => {
    const { interim, phrases } = snapshot(rig).context;
    const statuses = selectTexts(snapshot(rig)).map(({ text, status }) => `${text} ${status}`);
    return [statuses.join(), interim.text, interim.stable === interim.text, phrases.length > 0];
  },
  rules: {
    "one call at a time": (rig) => rig.translate.open().length <= 1,
    "what is called is needed": (rig) => {
      const { texts: all, at, asked } = snapshot(rig).context;
      const wanted = snapshot(rig).matches("translatingText") ? all[at]?.text : asked?.source;
      return rig.translate.open().every(({ input }) => input?.text === wanted);
    },
    "no phrase goes before a text that has just come": (rig) =>
      !snapshot(rig).matches("resting") || selectIsSettled(snapshot(rig)),
    "a translation is that of its text": (rig) =>
      selectTexts(snapshot(rig)).every(({ text, translation }) => translation === undefined || translation === `(${text})`),
    "what was said is all there": (rig) => selectTexts(snapshot(rig)).every(({ text }) => text !== ""),
  },
});

import { createActor } from "xstate";
import {
  type LiveTranslationEvent,
  liveTranslationMachine,
  selectIsSettled,
  selectTexts,
} from "#machines/dictation/live-translation/machine.ts";
import { answered, failure, refused, sent, untilNextTimer } from "#tests/paths/harness-moves.ts";
import type { Stubs } from "#tests/paths/harness-stubs.ts";
import { type RunOptions, walkTests } from "#tests/paths/harness-walk.ts";

function prepare(stubs: Stubs) {
  const translate = stubs.asking<string, { text: string }>();
  const machine = liveTranslationMachine.provide({ actors: { translate: translate.logic } });
  return ({ clock, inspect }: RunOptions) => ({ actor: createActor(machine, { clock, inspect }), translate });
}
type Harness = ReturnType<ReturnType<typeof prepare>>;

const snapshot = ({ actor }: Harness) => actor.getSnapshot();
const translate = (harness: Harness) => harness.translate;
const texts = (name: string, ...now: string[]) =>
  sent<LiveTranslationEvent>({ type: "texts.changed", texts: now.map((text) => ({ text })) }, name);
const hears = (text: string) => sent<LiveTranslationEvent>({ type: "interim.recognized", text }, `"${text}" is heard`);

walkTests<Harness>({
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
  situation: (harness) => {
    const { interim, phrases } = snapshot(harness).context;
    const statuses = selectTexts(snapshot(harness)).map(({ text, status }) => `${text} ${status}`);
    return [statuses.join(), interim.text, interim.stable === interim.text, phrases.length > 0];
  },
  rules: {
    "one call at a time": (harness) => harness.translate.open().length <= 1,
    "what is called is needed": (harness) => {
      const { texts: all, at, asked } = snapshot(harness).context;
      const wanted = snapshot(harness).matches("translatingText") ? all[at]?.text : asked?.source;
      return harness.translate.open().every(({ input }) => input?.text === wanted);
    },
    "no phrase goes before a text that has just come": (harness) =>
      !snapshot(harness).matches("resting") || selectIsSettled(snapshot(harness)),
    "a translation is that of its text": (harness) =>
      selectTexts(snapshot(harness)).every(({ text, translation }) => translation === undefined || translation === `(${text})`),
    "what was said is all there": (harness) => selectTexts(snapshot(harness)).every(({ text }) => text !== ""),
  },
});

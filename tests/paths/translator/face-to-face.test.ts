import { createActor } from "xstate";
import {
  type FaceToFaceEvent,
  faceToFaceMachine,
  selectIsFaceToFace,
  selectTextsOpposite,
} from "#machines/translator/face-to-face.ts";
import { answered, failure, refused, said, sent, untilNextTimer } from "#tests/paths/harness-moves.ts";
import type { Stubs } from "#tests/paths/harness-stubs.ts";
import { type RunOptions, walkTests } from "#tests/paths/harness-walk.ts";

function prepare(stubs: Stubs) {
  const loadTexts = stubs.asking<void, { texts: string }>();
  const wakeUps = stubs.callback<FaceToFaceEvent>();
  let choice: { isOpen: boolean | null } = { isOpen: null };
  const machine = faceToFaceMachine.provide({
    actors: { loadTexts: loadTexts.logic, wakeUps: wakeUps.logic },
    actions: {
      rememberChoice: (_, { isOpen }) => {
        choice.isOpen = isOpen;
      },
    },
  });
  return ({ clock, inspect, start }: RunOptions) => {
    choice = { isOpen: null };
    const isOpen = start === "on a phone";
    const actor = createActor(machine, { clock, inspect, input: { isOpen, texts: "es" } });
    return { actor, loadTexts, wakeUps, choice };
  };
}
type Harness = ReturnType<ReturnType<typeof prepare>>;

const snapshot = ({ actor }: Harness) => actor.getSnapshot();
const texts = ({ loadTexts }: Harness) => loadTexts;

walkTests<Harness>({
  machine: faceToFaceMachine,
  prepare,
  starts: ["on a phone", "elsewhere"],
  moves: [
    sent<FaceToFaceEvent>({ type: "open.requested" }),
    sent<FaceToFaceEvent>({ type: "close.requested" }),
    sent<FaceToFaceEvent>({ type: "language.changed", texts: "es" }, "the person opposite reads Spanish"),
    sent<FaceToFaceEvent>({ type: "language.changed", texts: "de" }, "the person opposite reads German"),
    said({ type: "page.resumed" }, ({ wakeUps }: Harness) => wakeUps),
    answered("the texts are there", texts, () => undefined),
    refused("the texts can't be had", texts, failure("network")),
    untilNextTimer,
  ],
  situation: (harness) => [snapshot(harness).context.texts, harness.choice.isOpen],
  rules: {
    "closed, nothing is loaded or waited for": (harness) =>
      selectIsFaceToFace(snapshot(harness)) || harness.loadTexts.open().length + harness.wakeUps.running() === 0,
    "texts are those of the language that is read": (harness) => {
      const shown = selectTextsOpposite(snapshot(harness));
      return shown === null || shown === snapshot(harness).context.texts;
    },
    "what is loaded is the language that is read": (harness) =>
      harness.loadTexts.open().every(({ input }) => input?.texts === snapshot(harness).context.texts),
    "a choice that was made is what is shown": (harness) =>
      harness.choice.isOpen === null || harness.choice.isOpen === selectIsFaceToFace(snapshot(harness)),
  },
});

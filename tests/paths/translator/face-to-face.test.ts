import { createActor } from "xstate";
import {
  type FaceToFaceEvent,
  faceToFaceMachine,
  selectIsFaceToFace,
  selectTextsOpposite,
} from "#machines/translator/face-to-face.ts";
import { answered, failure, refused, said, sent, untilNextTimer } from "#tests/paths/harness-moves.ts";
import type { Stage } from "#tests/paths/harness-stage.ts";
import { type RunOptions, walkTests } from "#tests/paths/harness-walk.ts";

function prepare(stage: Stage) {
  const loadTexts = stage.asking<void, { texts: string }>();
  const wakeUps = stage.callback<FaceToFaceEvent>();
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
type Rig = ReturnType<ReturnType<typeof prepare>>;

const snapshot = ({ actor }: Rig) => actor.getSnapshot();
const texts = ({ loadTexts }: Rig) => loadTexts;

walkTests<Rig>({
  machine: faceToFaceMachine,
  prepare,
  starts: ["on a phone", "elsewhere"],
  moves: [
    sent<FaceToFaceEvent>({ type: "open.requested" }),
    sent<FaceToFaceEvent>({ type: "close.requested" }),
    sent<FaceToFaceEvent>({ type: "language.changed", texts: "es" }, "the person opposite reads Spanish"),
    sent<FaceToFaceEvent>({ type: "language.changed", texts: "de" }, "the person opposite reads German"),
    said({ type: "page.resumed" }, ({ wakeUps }: Rig) => wakeUps),
    answered("the texts are there", texts, () => undefined),
    refused("the texts can't be had", texts, failure("network")),
    untilNextTimer,
  ],
  situation: (rig) => [snapshot(rig).context.texts, rig.choice.isOpen],
  rules: {
    "closed, nothing is loaded or waited for": (rig) =>
      selectIsFaceToFace(snapshot(rig)) || rig.loadTexts.open().length + rig.wakeUps.running() === 0,
    "texts are those of the language that is read": (rig) => {
      const shown = selectTextsOpposite(snapshot(rig));
      return shown === null || shown === snapshot(rig).context.texts;
    },
    "what is loaded is the language that is read": (rig) =>
      rig.loadTexts.open().every(({ input }) => input?.texts === snapshot(rig).context.texts),
    "a choice that was made is what is shown": (rig) =>
      rig.choice.isOpen === null || rig.choice.isOpen === selectIsFaceToFace(snapshot(rig)),
  },
});

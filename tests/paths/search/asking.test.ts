import { createActor } from "xstate";
import type { AnsweredPoint, Asking } from "#contract/index.ts";
import {
  askingMachine,
  type Question,
  selectAnswer,
  selectAskingFailure,
  selectIsAsking,
  selectPoints,
} from "#machines/search/asking.ts";
import { hit } from "#tests/machines/search/rig.ts";
import { outage, said, sent } from "#tests/paths/harness-moves.ts";
import type { Stage } from "#tests/paths/harness-stage.ts";
import { type RunOptions, walkTests } from "#tests/paths/harness-walk.ts";

const question: Question = { question: "When?", filters: { language: "", from: "", to: "" } };
const point: AnsweredPoint = { text: "In March.", passages: [hit("in March")] };

function prepare(stage: Stage) {
  const ask = stage.callback<Asking, Asking, Question>();
  const machine = askingMachine.provide({ actors: { ask: ask.logic } });
  return ({ clock, inspect }: RunOptions) => ({ actor: createActor(machine, { clock, inspect }), ask });
}
type Rig = ReturnType<ReturnType<typeof prepare>>;

const asking = ({ ask }: Rig) => ask;
const snapshot = ({ actor }: Rig) => actor.getSnapshot();

walkTests<Rig>({
  machine: askingMachine,
  prepare,
  moves: [
    sent({ type: "question.asked", question }),
    sent({ type: "stop.requested" }),
    sent({ type: "answer.closed" }),
    said({ type: "point.came", point }, asking),
    said({ type: "answer.came", answer: { points: [point], omitted: 0, read: 3 } }, asking),
    said({ type: "asking.failed", code: "chatFailed" }, asking),
    outage(said({ type: "asking.failed", code: "network" }, asking, "the answer breaks off")),
  ],
  situation: (rig) => [
    selectPoints(snapshot(rig)).length > 0,
    selectAnswer(snapshot(rig)) !== null,
    selectAskingFailure(snapshot(rig)),
  ],
  rules: {
    "the server works as long as the page waits for it": (rig) => selectIsAsking(snapshot(rig)) === rig.ask.running() > 0,
    "what is complete is shown": (rig) => selectAnswer(snapshot(rig)) === null || selectPoints(snapshot(rig)).length > 0,
  },
});

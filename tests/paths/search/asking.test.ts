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
import { hit } from "#tests/machines/search/harness.ts";
import { outage, said, sent } from "#tests/paths/harness-moves.ts";
import type { Stubs } from "#tests/paths/harness-stubs.ts";
import { type RunOptions, walkTests } from "#tests/paths/harness-walk.ts";

const question: Question = { question: "When?", filters: { language: "", from: "", to: "" } };
const point: AnsweredPoint = { text: "In March.", passages: [hit("in March")] };

function prepare(stubs: Stubs) {
  const ask = stubs.callback<Asking, Asking, Question>();
  const machine = askingMachine.provide({ actors: { ask: ask.logic } });
  return ({ clock, inspect }: RunOptions) => ({ actor: createActor(machine, { clock, inspect }), ask });
}
type Harness = ReturnType<ReturnType<typeof prepare>>;

const asking = ({ ask }: Harness) => ask;
const snapshot = ({ actor }: Harness) => actor.getSnapshot();

walkTests<Harness>({
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
  situation: (harness) => [
    selectPoints(snapshot(harness)).length > 0,
    selectAnswer(snapshot(harness)) !== null,
    selectAskingFailure(snapshot(harness)),
  ],
  rules: {
    "the server works as long as the page waits for it": (harness) =>
      selectIsAsking(snapshot(harness)) === harness.ask.running() > 0,
    "what is complete is shown": (harness) =>
      selectAnswer(snapshot(harness)) === null || selectPoints(snapshot(harness)).length > 0,
  },
});

import { describe, expect, test } from "vitest";
import { createActor } from "xstate";
import type { AnsweredPoint, Asking } from "#contract/index.ts";
import {
  askingMachine,
  type Question,
  selectAnswer,
  selectAskableAt,
  selectAskingFailure,
  selectIsAsking,
  selectIsStopped,
  selectPoints,
  selectQuestion,
} from "#machines/search/asking.ts";
import { stopsAfterTest, talking } from "#tests/machines/harness.ts";
import { hit } from "./harness.ts";

const filters = { language: "", from: "", to: "" };
const question: Question = { question: "When?", filters };
const point: AnsweredPoint = { text: "In March.", passages: [hit("in March")] };

function asked() {
  const ask = talking<Asking, Asking, Question>();
  const actor = stopsAfterTest(createActor(askingMachine.provide({ actors: { ask: ask.logic } })));
  actor.start();
  actor.send({ type: "question.asked", question });
  return {
    ask,
    send: actor.send.bind(actor),
    get: <T>(select: (snapshot: ReturnType<typeof actor.getSnapshot>) => T) => select(actor.getSnapshot()),
  };
}

describe("question to all transcripts", () => {
  test("streams an answer sentence by sentence and keeps the complete one", () => {
    const { ask, get } = asked();
    expect([ask.input(), get(selectIsAsking), get(selectQuestion)]).toEqual([question, true, "When?"]);
    ask.say({ type: "point.came", point });
    ask.say({ type: "point.came", point });
    expect([get(selectPoints).length, get(selectAnswer)]).toEqual([2, null]);
    const answer = { points: [point], omitted: 1, read: 9 };
    ask.say({ type: "answer.came", answer });
    expect([get(selectPoints), get(selectAnswer), get(selectIsAsking), ask.isRunning()]).toEqual([[point], answer, false, false]);
  });

  test("stops an answer, keeps what arrived, and starts the next one anew", () => {
    const { ask, send, get } = asked();
    ask.say({ type: "point.came", point });
    // One question at a time.
    send({ type: "question.asked", question: { question: "Who?", filters } });
    expect([ask.starts(), get(selectQuestion)]).toEqual([1, "When?"]);
    send({ type: "stop.requested" });
    expect([get(selectIsStopped), get(selectPoints).length, ask.isRunning()]).toEqual([true, 1, false]);
    send({ type: "question.asked", question: { question: "Who?", filters } });
    expect([get(selectQuestion), get(selectPoints), get(selectIsStopped)]).toEqual(["Who?", [], false]);
  });

  test("shows why an answer failed, and allows another try", () => {
    const { ask, send, get } = asked();
    ask.say({ type: "asking.failed", code: "chatFailed" });
    expect([get(selectAskingFailure), get(selectIsAsking), get(selectAskableAt)]).toEqual(["chatFailed", false, null]);
    send({ type: "question.asked", question });
    expect([get(selectAskingFailure), ask.starts()]).toEqual([null, 2]);
    ask.say({ type: "asking.failed", code: "tooManyRequests", until: 5_000 });
    expect(get(selectAskableAt)).toBe(5_000);
    send({ type: "question.asked", question });
    expect(get(selectAskableAt)).toBeNull();
    ask.say({ type: "point.came", point });
    send({ type: "stop.requested" });
    send({ type: "answer.closed" });
    expect([get(selectQuestion), get(selectPoints), get(selectIsStopped)]).toEqual([null, [], false]);
  });
});

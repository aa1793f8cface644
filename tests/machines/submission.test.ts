import { describe, expect, test } from "vitest";
import { createActor, fromPromise } from "xstate";
import {
  type SubmissionEmitted,
  type SubmissionResult,
  selectFieldErrors,
  selectFirstWrongField,
  selectIsDone,
  selectIsSubmitting,
  selectMessage,
  submissionMachine,
  type Values,
} from "#machines/submission.ts";
import { settled } from "./session/harness.ts";

function startForm() {
  const sent: Values[] = [];
  const answers: PromiseWithResolvers<SubmissionResult>[] = [];
  const emitted: SubmissionEmitted[] = [];
  const required = (values: Values) =>
    Object.fromEntries(Object.entries(values).flatMap(([field, value]) => (value === "" ? [[field, "missing"]] : [])));
  const actor = createActor(
    submissionMachine.provide({
      actors: {
        submit: fromPromise(({ input }) => {
          sent.push(input);
          const answer = Promise.withResolvers<SubmissionResult>();
          answers.push(answer);
          return answer.promise;
        }),
      },
    }),
    { input: { initial: { name: "", city: "" }, check: required, unknown: { key: "failed" } } },
  );
  actor.on("submission.done", (event) => emitted.push(event));
  actor.start();
  return {
    actor,
    sent,
    emitted,
    snapshot: () => actor.getSnapshot(),
    submit: (values: Values) => actor.send({ type: "submit.requested", values }),
    type: (field: string, value: string) => actor.send({ type: "field.changed", field, value }),
    answer: (result: SubmissionResult) => {
      answers.at(-1)?.resolve(result);
      return settled();
    },
    refuse: () => {
      answers.at(-1)?.reject(new Error("no"));
      return settled();
    },
  };
}

const complete = { name: "Ada", city: "London" };

describe("checking", () => {
  test("what is wrong is not sent; the first wrong field in the form's order is named", () => {
    const form = startForm();
    form.submit({ city: "", name: "" });
    expect(form.sent).toEqual([]);
    expect(selectFieldErrors(form.snapshot())).toEqual({ name: "missing", city: "missing" });
    expect(selectFirstWrongField(form.snapshot())).toBe("name");
  });

  test("a field is right as soon as it is", () => {
    const form = startForm();
    form.submit({ name: "", city: "" });
    form.type("name", "A");
    expect(selectFieldErrors(form.snapshot())).toEqual({ city: "missing" });
  });

  test("a field that was not found wrong yet is not found wrong while somebody types", () => {
    const form = startForm();
    form.type("name", "A");
    form.type("name", "");
    expect(selectFieldErrors(form.snapshot())).toEqual({});
    expect(selectFirstWrongField(form.snapshot())).toBeNull();
  });
});

describe("sending", () => {
  test("what is in the fields goes, whoever put it there", () => {
    const form = startForm();
    form.type("name", "A");
    form.submit(complete);
    expect(form.sent).toEqual([complete]);
    expect(selectIsSubmitting(form.snapshot())).toBe(true);
  });

  test("pressing twice sends once", () => {
    const form = startForm();
    form.submit(complete);
    form.submit(complete);
    expect(form.sent).toHaveLength(1);
  });

  test("success is emitted, once", async () => {
    const form = startForm();
    form.submit(complete);
    await form.answer({ kind: "done", message: { key: "thanks" } });
    expect(selectIsDone(form.snapshot())).toBe(true);
    expect(selectMessage(form.snapshot())).toEqual({ key: "thanks" });
    expect(form.emitted).toEqual([{ type: "submission.done", message: { key: "thanks" } }]);
  });
});

describe("failing", () => {
  // SPEC 8: "The login helper returns success false plus the error text."
  test("says why, keeps what was typed, and can be tried again", async () => {
    const form = startForm();
    form.submit(complete);
    await form.answer({ kind: "refused", message: { key: "taken" } });
    expect(selectMessage(form.snapshot())).toEqual({ key: "taken" });
    expect(form.snapshot().context.values).toEqual(complete);
    form.submit(complete);
    expect(selectMessage(form.snapshot())).toBeNull();
    expect(form.sent).toHaveLength(2);
  });

  test("the message outlives typing: it is not untrue yet", async () => {
    const form = startForm();
    form.submit(complete);
    await form.answer({ kind: "refused", message: { text: "The server's own words." } });
    form.type("name", "Adah");
    expect(selectMessage(form.snapshot())).toEqual({ text: "The server's own words." });
  });

  test("what nobody foresaw has a message too", async () => {
    const form = startForm();
    form.submit(complete);
    await form.refuse();
    expect(selectMessage(form.snapshot())).toEqual({ key: "failed" });
    expect(selectIsDone(form.snapshot())).toBe(false);
  });
});

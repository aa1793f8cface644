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

describe("validation of a form", () => {
  test("does not send invalid values, and names the first wrong field in the form's order", () => {
    const form = startForm();
    form.submit({ city: "", name: "" });
    expect(form.sent).toEqual([]);
    expect(selectFieldErrors(form.snapshot())).toEqual({ name: "missing", city: "missing" });
    expect(selectFirstWrongField(form.snapshot())).toBe("name");
  });

  test("clears a field's error as soon as the field is right", () => {
    const form = startForm();
    form.submit({ name: "", city: "" });
    form.type("name", "A");
    expect(selectFieldErrors(form.snapshot())).toEqual({ city: "missing" });
  });

  test("shows no error for a field while the person types in it for the first time", () => {
    const form = startForm();
    form.type("name", "A");
    form.type("name", "");
    expect(selectFieldErrors(form.snapshot())).toEqual({});
    expect(selectFirstWrongField(form.snapshot())).toBeNull();
  });
});

describe("sending of a form", () => {
  test("a form sends the fields' contents, even if the browser filled them in", () => {
    const form = startForm();
    form.type("name", "A");
    form.submit(complete);
    expect(form.sent).toEqual([complete]);
    expect(selectIsSubmitting(form.snapshot())).toBe(true);
  });

  test("a form sends once when its button is pressed twice", () => {
    const form = startForm();
    form.submit(complete);
    form.submit(complete);
    expect(form.sent).toHaveLength(1);
  });

  test("a form's submission emits success once", async () => {
    const form = startForm();
    form.submit(complete);
    await form.answer({ kind: "done", message: { key: "thanks" } });
    expect(selectIsDone(form.snapshot())).toBe(true);
    expect(selectMessage(form.snapshot())).toEqual({ key: "thanks" });
    expect(form.emitted).toEqual([{ type: "submission.done", message: { key: "thanks" } }]);
  });
});

describe("failed submission of a form", () => {
  // SPEC 8: "The login helper returns success false plus the error text."
  test("shows why the submission failed, keeps the values, and allows a retry", async () => {
    const form = startForm();
    form.submit(complete);
    await form.answer({ kind: "refused", message: { key: "taken" } });
    expect(selectMessage(form.snapshot())).toEqual({ key: "taken" });
    expect(form.snapshot().context.values).toEqual(complete);
    form.submit(complete);
    expect(selectMessage(form.snapshot())).toBeNull();
    expect(form.sent).toHaveLength(2);
  });

  test("a form keeps its error message while the person types", async () => {
    const form = startForm();
    form.submit(complete);
    await form.answer({ kind: "refused", message: { text: "The server's own words." } });
    form.type("name", "Adah");
    expect(selectMessage(form.snapshot())).toEqual({ text: "The server's own words." });
  });

  test("a form shows a message for an unexpected error", async () => {
    const form = startForm();
    form.submit(complete);
    await form.refuse();
    expect(selectMessage(form.snapshot())).toEqual({ key: "failed" });
    expect(selectIsDone(form.snapshot())).toBe(false);
  });
});

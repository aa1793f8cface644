import { assign, emit, fromPromise, type SnapshotFrom, setup } from "xstate";
import { notProvided } from "#machines/not-provided.ts";

/** The form's values, by field name. */
export type Values = Readonly<Record<string, string>>;

/** A message: a key of the locale files with its values, or the server's own words. */
export type Message = { key: string; values?: Record<string, string> } | { text: string };

/** The outcome of sending a form. */
export type SubmissionResult = { kind: "done"; message?: Message } | { kind: "refused"; message: Message };

export type SubmissionEvent =
  /** The person edited a field. */
  | { type: "field.changed"; field: string; value: string }
  /** The person pressed the form's button, or Enter. */
  | { type: "submit.requested"; values: Values };

export type SubmissionEmitted =
  /** For what happens outside of the form: a message, another page. */
  { type: "submission.done"; message: Message | undefined };

interface SubmissionInput {
  /** The fields in order, with their initial values. */
  initial: Values;
  /** The error of each field: a key of the locale files. Pure. */
  check(values: Values): Values;
  /** The message for an unknown failure. */
  unknown: Message;
}

interface SubmissionContext extends Omit<SubmissionInput, "initial"> {
  values: Values;
  fieldErrors: Values;
  message: Message | null;
}

/** Sending any form: validated, sent once, outcome shown. The values survive a failure. */
export const submissionMachine = setup({
  types: {
    context: {} as SubmissionContext,
    events: {} as SubmissionEvent,
    emitted: {} as SubmissionEmitted,
    input: {} as SubmissionInput,
  },
  actors: {
    submit: fromPromise<SubmissionResult, Values>(async () => notProvided("submit")),
  },
  actions: {
    assignValues: assign(({ context, event }) =>
      event.type === "submit.requested" ? { values: { ...context.values, ...event.values }, message: null } : {},
    ),
    assignField: assign(({ context, event }) => {
      if (event.type !== "field.changed") return {};
      const values = { ...context.values, [event.field]: event.value };
      return { values, fieldErrors: stillWrong(context.fieldErrors, context.check(values)) };
    }),
    checkFields: assign({ fieldErrors: ({ context }) => context.check(context.values) }),
    setMessage: assign({ message: (_, message: Message | null) => message }),
    setUnknownFailure: assign({ message: ({ context }) => context.unknown }),
    emitDone: emit((_, message: Message | undefined): SubmissionEmitted => ({ type: "submission.done", message })),
  },
  guards: { hasWrongFields: ({ context }) => Object.keys(context.fieldErrors).length > 0 },
}).createMachine({
  id: "submission",
  context: ({ input: { initial, check, unknown } }) => ({
    check,
    unknown,
    values: initial,
    fieldErrors: {},
    message: null,
  }),
  initial: "editing",
  states: {
    editing: {
      on: {
        "field.changed": { actions: "assignField" },
        "submit.requested": { target: "validating", actions: "assignValues" },
      },
    },
    validating: {
      entry: "checkFields",
      always: [{ guard: "hasWrongFields", target: "editing" }, { target: "submitting" }],
    },
    submitting: {
      invoke: {
        src: "submit",
        input: ({ context }) => context.values,
        onDone: [
          {
            guard: ({ event }) => event.output.kind === "done",
            target: "done",
            actions: [
              { type: "setMessage", params: ({ event }) => event.output.message ?? null },
              { type: "emitDone", params: ({ event }) => event.output.message },
            ],
          },
          { target: "failed", actions: { type: "setMessage", params: ({ event }) => event.output.message ?? null } },
        ],
        onError: { target: "failed", actions: "setUnknownFailure" },
      },
    },
    /** The message stays until the next attempt: typing does not make it untrue. */
    failed: {
      on: {
        "field.changed": { actions: "assignField" },
        "submit.requested": { target: "validating", actions: "assignValues" },
      },
    },
    done: { type: "final" },
  },
});

/** A field's error goes as soon as the field is valid; typing does not add a new error. */
function stillWrong(before: Values, now: Values): Values {
  const wrong = Object.keys(before).flatMap((field) => {
    const error = now[field];
    return error === undefined ? [] : [[field, error] as const];
  });
  return Object.fromEntries(wrong);
}

type SubmissionSnapshot = SnapshotFrom<typeof submissionMachine>;

export const selectIsSubmitting = (snapshot: SubmissionSnapshot): boolean => snapshot.matches("submitting");
export const selectIsDone = (snapshot: SubmissionSnapshot): boolean => snapshot.matches("done");
export const selectMessage = (snapshot: SubmissionSnapshot): Message | null => snapshot.context.message;
export const selectFieldErrors = (snapshot: SubmissionSnapshot): Values => snapshot.context.fieldErrors;
/** The first invalid field, to be focused; null when all are valid. */
export const selectFirstWrongField = (snapshot: SubmissionSnapshot): string | null =>
  Object.keys(snapshot.context.values).find((field) => field in snapshot.context.fieldErrors) ?? null;

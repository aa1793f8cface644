import { assign, fromCallback, type SnapshotFrom, setup } from "xstate";
import type { AnsweredPoint, Asking, SearchAnswered } from "#contract/index.ts";
import { notProvided } from "#machines/not-provided.ts";
import { present } from "#machines/present.ts";
import { withEvent } from "#machines/with-event.ts";
import type { SearchFields } from "./rules.ts";

/** A question, and what it is narrowed to. */
export interface Question {
  /** Without white space around it. */
  question: string;
  filters: Omit<SearchFields, "query">;
}

export type AskingEvent =
  /** From the server while the model writes. */
  | Asking
  /** The person asks. */
  | { type: "question.asked"; question: Question }
  /** The person has read enough; what came stays on the page. */
  | { type: "stop.requested" }
  /** The person puts the answer away. */
  | { type: "answer.closed" };

interface AskingContext {
  /** The last one. */
  question: Question | null;
  /** What has come of the answer. */
  points: readonly AnsweredPoint[];
  /** Once it is complete. */
  answer: SearchAnswered | null;
  /** Why there is none. */
  failure: string | null;
  /** When it can be asked again, where the server has said that: epoch ms. */
  until: number | null;
}

/** Has a language model answer a question from everything that was said: as it streams in, until it is complete or stopped. Nothing of it is kept. */
export const askingMachine = setup({
  types: {
    context: {} as AskingContext,
    events: {} as AskingEvent,
    tags: {} as "asking" | "stopped" | "failed" | "answered",
  },
  actors: {
    /** Stops the server's work when it is stopped. */
    ask: fromCallback<Asking, Question>(() => notProvided("ask")),
  },
  actions: {
    begin: assign((_, { question }: { question: Question }) => ({
      question,
      points: [],
      answer: null,
      failure: null,
      until: null,
    })),
    addPoint: assign({ points: ({ context }, { point }: { point: AnsweredPoint }) => [...context.points, point] }),
    /** A model that was asked twice has written some sentences twice. */
    assignAnswer: assign((_, { answer }: { answer: SearchAnswered }) => ({ answer, points: answer.points })),
    clear: assign({ question: null, points: [], answer: null, failure: null, until: null }),
    fail: assign((_, { code, until = null }: { code: string; until?: number | null }) => ({ failure: code, until })),
  },
}).createMachine({
  id: "asking",
  context: { question: null, points: [], answer: null, failure: null, until: null },
  initial: "resting",
  states: {
    resting: {
      initial: "idle",
      on: {
        "question.asked": { target: "asking", actions: withEvent("begin") },
        "answer.closed": { target: ".idle", actions: "clear" },
      },
      states: {
        idle: {},
        stopped: { tags: "stopped" },
        failed: { tags: "failed" },
        answered: { tags: "answered" },
      },
    },
    asking: {
      tags: "asking",
      invoke: { src: "ask", input: ({ context }) => present(context.question, "what is asked") },
      on: {
        "point.came": { actions: withEvent("addPoint") },
        "answer.came": { target: "resting.answered", actions: withEvent("assignAnswer") },
        "asking.failed": { target: "resting.failed", actions: withEvent("fail") },
        "stop.requested": "resting.stopped",
      },
    },
  },
});

type Snapshot = SnapshotFrom<typeof askingMachine>;

export const selectIsAsking = (snapshot: Snapshot): boolean => snapshot.hasTag("asking");
export const selectIsStopped = (snapshot: Snapshot): boolean => snapshot.hasTag("stopped");
export const selectQuestion = (snapshot: Snapshot): string | null => snapshot.context.question?.question ?? null;
export const selectPoints = (snapshot: Snapshot): readonly AnsweredPoint[] => snapshot.context.points;
/** Once it is complete; null before. */
export const selectAnswer = (snapshot: Snapshot): SearchAnswered | null =>
  snapshot.hasTag("answered") ? snapshot.context.answer : null;
/** An error code of the contract; null unless it has failed. */
export const selectAskingFailure = (snapshot: Snapshot): string | null =>
  snapshot.hasTag("failed") ? snapshot.context.failure : null;
/** When it can be asked again, where the server has said that: epoch ms; null otherwise. */
export const selectAskableAt = (snapshot: Snapshot): number | null => snapshot.context.until;

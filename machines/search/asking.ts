import { assign, fromCallback, type SnapshotFrom, setup } from "xstate";
import type { AnsweredPoint, Asking, SearchAnswered } from "#contract/index.ts";
import { notProvided } from "#machines/not-provided.ts";
import { present } from "#machines/present.ts";
import { withEvent } from "#machines/with-event.ts";
import type { SearchFields } from "./rules.ts";

/** A question and its filters. */
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
  /** The person stops the answer; what has arrived stays on the page. */
  | { type: "stop.requested" }
  /** The person closes the answer. */
  | { type: "answer.closed" };

interface AskingContext {
  /** The last question. */
  question: Question | null;
  /** The sentences that have arrived. */
  points: readonly AnsweredPoint[];
  /** The complete answer; null before. */
  answer: SearchAnswered | null;
  /** Why there is no answer. */
  failure: string | null;
  /** When the server allows the next question, if it said so: epoch ms. */
  until: number | null;
}

/**
 * A language model answers a question from all transcripts. The answer streams in until it is complete or stopped, and
 * is not stored.
 */
export const askingMachine = setup({
  types: {
    context: {} as AskingContext,
    events: {} as AskingEvent,
    tags: {} as "asking" | "stopped" | "failed" | "answered",
  },
  actors: {
    /** Stops the server's work when the actor is stopped. */
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
    /** Replaces the streamed sentences: a model that was asked twice has written some of them twice. */
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
/** The complete answer; null before. */
export const selectAnswer = (snapshot: Snapshot): SearchAnswered | null =>
  snapshot.hasTag("answered") ? snapshot.context.answer : null;
/** An error code of the contract; null unless the question failed. */
export const selectAskingFailure = (snapshot: Snapshot): string | null =>
  snapshot.hasTag("failed") ? snapshot.context.failure : null;
/** When the server allows the next question: epoch ms; null if it did not say. */
export const selectAskableAt = (snapshot: Snapshot): number | null => snapshot.context.until;

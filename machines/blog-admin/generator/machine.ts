import { assign, emit, fromCallback, fromPromise, setup } from "xstate";
import type {
  DiversityStats,
  GeneratedHead,
  GeneratedPost,
  GenerationProgress,
  GenerationStep,
  GeneratorFailure,
  GeneratorForm,
  GeneratorMode,
} from "#contract/index.ts";
import { codeOf } from "#machines/failure.ts";
import { notProvided } from "#machines/not-provided.ts";
import { present } from "#machines/present.ts";
import { withEvent, withOutput } from "#machines/with-event.ts";

/** The part of a post that has arrived. */
export interface Written {
  head: GeneratedHead;
  /** Markdown. */
  text: string;
  language: string;
  /** The post is complete. */
  complete: boolean;
}

export type GeneratorEvent =
  /** The person fills in the form. */
  | { type: "form.changed"; change: Partial<GeneratorForm> }
  /** The person has a post generated, for the first time or again. */
  | { type: "generate.requested"; mode: GeneratorMode }
  /** The person stops the generation and keeps what has arrived. */
  | { type: "stop.requested" }
  /** The person saves what has arrived as a draft, or retries the save. */
  | { type: "save.requested" }
  /** The person discards what has arrived. */
  | { type: "discard.requested" }
  /** The person reloads the statistics. */
  | { type: "stats.requested" }
  /** The page is hidden, perhaps for good. */
  | { type: "page.hidden" }
  | GenerationProgress;

/** Emitted to the page: the draft is saved. */
export type GeneratorEmitted = { type: "draft.saved"; id: string };

/** Persisted in the browser, so that nothing is lost. */
export interface PersistedGeneration {
  form: GeneratorForm;
  written: Written | null;
}

interface GeneratorContext extends PersistedGeneration {
  mode: GeneratorMode;
  topicMissing: boolean;
  step: GenerationStep | null;
  failure: GeneratorFailure | null;
  savedId: string | null;
  stats: DiversityStats | null;
}

/** The running operation, or the result of the last one: tags of the states. */
export const generatorPhases = ["idle", "recovered", "generating", "stopped", "failed", "saving", "notSaved", "saved"] as const;
export type GeneratorPhase = (typeof generatorPhases)[number];

const failureOf = (error: unknown): GeneratorFailure => ({ code: codeOf(error), detail: null });

/** Generates a post with a language model: shows the text as it streams in, stores it, and saves it as a draft. */
export const generatorMachine = setup({
  types: {
    context: {} as GeneratorContext,
    events: {} as GeneratorEvent,
    emitted: {} as GeneratorEmitted,
    input: {} as PersistedGeneration,
    tags: {} as GeneratorPhase | "busy",
  },
  actors: {
    /** Cancels the server's work when it is stopped. */
    generate: fromCallback<GenerationProgress, { mode: GeneratorMode; form: GeneratorForm }>(() => notProvided("generate")),
    /** Resolves with the draft's id. */
    save: fromPromise<string, { written: Written }>(async () => notProvided("save")),
    loadStats: fromPromise<DiversityStats>(async () => notProvided("loadStats")),
  },
  actions: {
    changeForm: assign(({ context }, { change }: { change: Partial<GeneratorForm> }) => ({
      form: { ...context.form, ...change },
      topicMissing: context.topicMissing && (change.topic ?? context.form.topic).trim() === "",
    })),
    begin: assign((_, { mode }: { mode: GeneratorMode }) => ({
      mode,
      topicMissing: false,
      step: null,
      failure: null,
      savedId: null,
    })),
    askForTopic: assign({ topicMissing: true }),
    assignStep: assign({ step: (_, { step }: { step: GenerationStep }) => step }),
    /** The previous text is replaced only now. */
    assignHead: assign({
      written: ({ context }, { head }: { head: GeneratedHead }) => ({
        head,
        text: "",
        language: context.form.language,
        complete: false,
      }),
    }),
    addText: assign({
      written: ({ context: { written } }, { text }: { text: string }) => written && { ...written, text: written.text + text },
    }),
    assignPost: assign({
      written: (_, { post: { content, language, ...head } }: { post: GeneratedPost }) => ({
        head,
        text: content,
        language,
        complete: true,
      }),
    }),
    fail: assign({ failure: (_, { failure }: { failure: GeneratorFailure }) => failure }),
    clearFailure: assign({ failure: null }),
    clearWritten: assign({ written: null }),
    rememberDraft: assign({ savedId: (_, id: string) => id }),
    emitSaved: emit((_, id: string): GeneratorEmitted => ({ type: "draft.saved", id })),
    assignStats: assign({ stats: (_, stats: DiversityStats) => stats }),
    /** Persists `PersistedGeneration` where it survives the page. */
    persist: () => notProvided("persist"),
  },
  guards: {
    canBegin: ({ context }, { mode }: { mode: GeneratorMode }) =>
      context.stats?.available !== false && (mode === "surprise" || context.form.topic.trim() !== ""),
    lacksTopic: ({ context }, { mode }: { mode: GeneratorMode }) => mode === "topic" && context.form.topic.trim() === "",
    hasText: ({ context }) => (context.written?.text ?? "") !== "",
  },
  delays: {
    /** The longest time that arrived text may be in memory only. */
    persistDelay: 500,
  },
}).createMachine({
  id: "generator",
  context: ({ input }) => ({
    ...input,
    mode: "topic",
    topicMissing: false,
    step: null,
    failure: null,
    savedId: null,
    stats: null,
  }),
  type: "parallel",
  on: { "form.changed": { actions: [withEvent("changeForm"), "persist"] } },
  states: {
    numbers: {
      initial: "loading",
      states: {
        loading: {
          invoke: {
            src: "loadStats",
            onDone: { target: "loaded", actions: withOutput("assignStats") },
            onError: "failed",
          },
        },
        loaded: { on: { "stats.requested": "loading" } },
        failed: { on: { "stats.requested": "loading" } },
      },
    },
    writing: {
      initial: "resting",
      states: {
        /** No operation runs; the text stays until it is saved, discarded or replaced. */
        resting: {
          initial: "deciding",
          on: {
            "generate.requested": [
              { guard: withEvent("canBegin"), target: "generating", actions: withEvent("begin") },
              { guard: withEvent("lacksTopic"), actions: "askForTopic" },
            ],
            "save.requested": { guard: "hasText", target: "saving", actions: "clearFailure" },
            "discard.requested": { target: ".idle", actions: ["clearWritten", "clearFailure", "persist"] },
          },
          states: {
            deciding: { always: [{ guard: "hasText", target: "recovered" }, { target: "idle" }] },
            idle: { tags: "idle" },
            /** The text arrived before the page was left. */
            recovered: { tags: "recovered" },
            stopped: { tags: "stopped" },
            failed: { tags: "failed" },
            notSaved: { tags: "notSaved" },
            saved: { tags: "saved" },
          },
        },
        generating: {
          tags: ["generating", "busy"],
          invoke: {
            src: "generate",
            input: ({ context: { mode, form } }) => ({ mode, form }),
            onError: {
              target: "resting.failed",
              actions: { type: "fail", params: ({ event }) => ({ failure: failureOf(event.error) }) },
            },
          },
          on: {
            "step.came": { actions: withEvent("assignStep") },
            "head.came": { actions: withEvent("assignHead") },
            "post.came": { target: "saving", actions: [withEvent("assignPost"), "persist"] },
            "generation.failed": { target: "resting.failed", actions: withEvent("fail") },
            "stop.requested": "resting.stopped",
          },
          initial: "persisted",
          states: {
            /** The browser has persisted all that arrived. */
            persisted: { on: { "text.came": { target: "pending", actions: withEvent("addText") } } },
            pending: {
              exit: "persist",
              after: { persistDelay: "persisted" },
              on: {
                "text.came": { actions: withEvent("addText") },
                "page.hidden": "persisted",
              },
            },
          },
        },
        saving: {
          tags: ["saving", "busy"],
          invoke: {
            src: "save",
            input: ({ context }) => ({ written: present(context.written, "what has been written") }),
            onDone: {
              target: "resting.saved",
              actions: ["clearWritten", "persist", withOutput("rememberDraft"), withOutput("emitSaved")],
            },
            onError: {
              target: "resting.notSaved",
              actions: { type: "fail", params: ({ event }) => ({ failure: failureOf(event.error) }) },
            },
          },
        },
      },
    },
  },
});

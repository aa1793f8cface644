import { assign, fromCallback, fromPromise, raise, setup } from "xstate";
import type { Installation, ModelChoices, ModelsAnswer } from "#contract/index.ts";
import { codeOf, type Failed } from "#machines/failure.ts";
import { notProvided } from "#machines/not-provided.ts";
import { present } from "#machines/present.ts";
import { withEvent, withOutput } from "#machines/with-event.ts";
import type { ModelCommand, ModelsEvent } from "./events.ts";
import { isWorking, type ModelFilter, type ModelNews, newsBetween, withInstallation } from "./rules.ts";

/** A command that was refused, or did not reach the server. */
export interface CommandFailure extends ModelCommand {
  /** An error code of the contract. */
  code: string;
}

export interface ModelsInput {
  /** Base code of the language that translation is suggested for. */
  translatesInto: string;
  filter: ModelFilter;
}

export interface ModelsContext extends ModelsInput {
  /** The latest answer; it stays while the next is fetched, or can't be. Null before the first. */
  answer: ModelsAnswer | null;
  /** Why the last fetch failed: an error code of the contract; null unless it did. */
  error: string | null;
  isVisible: boolean;
  /** The first is being done, or asked about; those after it wait. */
  commands: readonly ModelCommand[];
  /** The failure of the last command for each model. */
  failures: Readonly<Record<string, CommandFailure>>;
  /** The latest news. */
  news: readonly ModelNews[];
}

/** How often the list is fetched (ms): while something is being installed, and otherwise. */
const pollMs = { working: 1_000, resting: 15_000 } as const;

/** Without the failure of this model's last command. */
const without = (failures: ModelsContext["failures"], id: string) =>
  Object.fromEntries(Object.entries(failures).filter(([key]) => key !== id));

/**
 * The page of the model manager: installed and available models, kept up to date, and the commands to install and
 * remove them.
 */
export const modelsMachine = setup({
  types: {
    context: {} as ModelsContext,
    events: {} as ModelsEvent,
    input: {} as ModelsInput,
  },
  actors: {
    fetchModels: fromPromise<ModelsAnswer>(async () => notProvided("fetchModels")),
    /** Resolves with the installation after the command; with null if there is none (anymore). */
    perform: fromPromise<Installation | null, { command: ModelCommand }>(async () => notProvided("perform")),
    /** Sends `page.shown` and `page.hidden`. */
    visibility: fromCallback<ModelsEvent>(() => notProvided("visibility")),
  },
  actions: {
    assignAnswer: assign(({ context }, output: ModelsAnswer) => {
      const news = newsBetween(context.answer, output);
      return { answer: output, error: null, news: news.length === 0 ? context.news : news };
    }),
    assignError: assign({ error: (_, { error }: Failed) => codeOf(error) }),
    show: assign({ isVisible: true }),
    hide: assign({ isVisible: false }),
    queue: assign({
      commands: ({ context }, { command }: { command: ModelCommand }) => [...context.commands, command],
      failures: ({ context }, { command }: { command: ModelCommand }) => without(context.failures, command.id),
    }),
    putAway: assign({ commands: ({ context }) => context.commands.slice(1) }),
    assignInstallation: assign(({ context: { answer, commands } }, output: Installation | null) => {
      const [done] = commands;
      if (answer === null || done === undefined || output === null) return {};
      return { answer: withInstallation(answer, done.id, output) };
    }),
    assignFailure: assign(({ context: { commands, failures } }, { error }: Failed) => {
      const [failed] = commands;
      return failed === undefined ? {} : { failures: { ...failures, [failed.id]: { ...failed, code: codeOf(error) } } };
    }),
    dismissFailure: assign({ failures: ({ context }, { id }: { id: string }) => without(context.failures, id) }),
    assignChoices: assign({
      answer: ({ context }, { choices }: { choices: ModelChoices }) => context.answer && { ...context.answer, choices },
    }),
    chooseTarget: assign({ translatesInto: (_, { language }: { language: string }) => language }),
    changeFilter: assign({
      filter: ({ context }, { filter }: { filter: Partial<ModelFilter> }) => ({ ...context.filter, isWhole: false, ...filter }),
    }),
  },
  guards: {
    isVisible: ({ context }) => context.isVisible,
    asksFirst: ({ context }) => context.commands[0]?.action === "remove",
    isThere: ({ context }) => context.commands.length > 0,
    /** A second click: the same is waiting already. */
    isQueued: ({ context }, { command }: { command: ModelCommand }) =>
      context.commands.some(({ action, id }) => action === command.action && id === command.id),
  },
  delays: {
    pollInterval: ({ context }) => (context.answer?.models.some(isWorking) ? pollMs.working : pollMs.resting),
  },
}).createMachine({
  id: "models",
  context: ({ input }) => ({
    ...input,
    answer: null,
    error: null,
    isVisible: true,
    commands: [],
    failures: {},
    news: [],
  }),
  invoke: { src: "visibility" },
  on: {
    "page.hidden": { actions: "hide" },
    "page.shown": { actions: "show" },
    "target.chosen": { actions: withEvent("chooseTarget") },
    "filter.changed": { actions: withEvent("changeFilter") },
    "failure.dismissed": { actions: withEvent("dismissFailure") },
  },
  type: "parallel",
  states: {
    list: {
      initial: "loading",
      states: {
        loading: {
          invoke: {
            src: "fetchModels",
            onDone: { target: "shown", actions: withOutput("assignAnswer") },
            onError: { target: "failed", actions: withEvent("assignError") },
          },
        },
        failed: { on: { "retry.requested": "loading", "page.shown": { target: "loading", actions: "show" } } },
        shown: {
          initial: "resting",
          // An answer in flight may already be stale.
          on: {
            "models.changed": ".polling",
            "retry.requested": ".polling",
            "choices.saved": { target: ".polling", actions: withEvent("assignChoices") },
          },
          states: {
            resting: { after: { pollInterval: [{ guard: "isVisible", target: "polling" }, { target: "due" }] } },
            /** A poll is due, but the tab is hidden. */
            due: { on: { "page.shown": { target: "polling", actions: "show" } } },
            polling: {
              invoke: {
                src: "fetchModels",
                onDone: { target: "resting", actions: withOutput("assignAnswer") },
                onError: { target: "resting", actions: withEvent("assignError") },
              },
            },
          },
        },
      },
    },
    commands: {
      initial: "idle",
      on: {
        "command.requested": [{ guard: withEvent("isQueued") }, { actions: withEvent("queue") }],
      },
      states: {
        idle: {
          always: [
            { guard: "asksFirst", target: "asking" },
            { guard: "isThere", target: "doing" },
          ],
        },
        asking: { on: { "command.confirmed": "doing", "command.dismissed": { target: "idle", actions: "putAway" } } },
        doing: {
          invoke: {
            src: "perform",
            input: ({ context }) => ({ command: present(context.commands[0] ?? null, "command") }),
            onDone: { target: "idle", actions: [withOutput("assignInstallation"), "putAway", raise({ type: "models.changed" })] },
            // The command may have failed because someone else was first.
            onError: { target: "idle", actions: [withEvent("assignFailure"), "putAway", raise({ type: "models.changed" })] },
          },
        },
      },
    },
  },
});

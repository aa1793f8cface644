import { assign, type EventObject, fromCallback, fromPromise, setup } from "xstate";
import { codeOf, type Failed, isNotOffered } from "#machines/failure.ts";
import { notProvided } from "#machines/not-provided.ts";
import { withEvent, withOutput } from "#machines/with-event.ts";

// Pages about a person's own things load their data when they open, show it until they close, and load it again when
// the page is resumed.

/** The context of a machine with these states. */
export interface LoadingContext<Known = unknown> {
  /** The server's data; null before it is loaded. */
  known: Known | null;
  /** Why the last change failed: an error code of the contract, or a flaw of a form; null if it succeeded. */
  failure: string | null;
}

export type LoadingEvent =
  /** The person retries. */
  | { type: "reload.requested" }
  /** The actor `wakeUps`: the network is back, or the page is visible again. */
  | { type: "page.resumed" };

/** The tags that a view reads. `unavailable`: the server does not know the call. */
export type LoadingTag = "loading" | "unavailable" | "failed";

/**
 * Creates `assign` actions that several machines share: each machine has its own context, and the actions change only
 * the part that all contexts have.
 * @typeParam Part the shared part of the contexts
 */
export const createAssign =
  <Part extends object, Context extends Part, Event extends EventObject>() =>
  <Params>(change: (context: Context, params: Params) => Partial<Part>) =>
    assign<Context, Event, Params, Event, never>(({ context }, params) => ({ ...context, ...change(context, params) }));

export function loadingActions<Known, Context extends LoadingContext<Known>, Event extends EventObject>() {
  const change = createAssign<LoadingContext<Known>, Context, Event>();
  return {
    assignKnown: change((_, known: Known) => ({ known })),
    assignFailure: change((_, { error }: Failed) => ({ failure: codeOf(error) })),
    clearFailure: change(() => ({ failure: null })),
  };
}

/** The parts of a machine that loads something. Loaded data is open in the state `open`, which rests in `idle`. */
export function createLoading<Known, Context extends LoadingContext<Known>, Event extends EventObject>() {
  const actors = {
    load: fromPromise<Known>(async () => notProvided("load")),
    wakeUps: fromCallback(() => notProvided("wakeUps")),
  };
  const guards = { isNotOffered: (_: unknown, { error }: Failed) => isNotOffered(error) };
  const { createStateConfig } = setup({
    types: { context: {} as Context, events: {} as LoadingEvent, tags: {} as LoadingTag },
    actors,
    actions: loadingActions<Known, Context, LoadingEvent>(),
    guards,
  });
  return {
    actors,
    actions: loadingActions<Known, Context, Event>(),
    guards,
    states: {
      loading: createStateConfig({
        tags: "loading",
        invoke: {
          src: "load",
          onDone: { target: "open", actions: withOutput("assignKnown") },
          onError: [{ guard: withEvent("isNotOffered"), target: "unavailable" }, { target: "failed" }],
        },
      }),
      unavailable: createStateConfig({ tags: "unavailable" }),
      failed: createStateConfig({
        tags: "failed",
        invoke: { src: "wakeUps" },
        on: { "reload.requested": "loading", "page.resumed": "loading" },
      }),
    },
    idle: createStateConfig({
      initial: "resting",
      states: {
        // The data may be changed elsewhere in the meantime.
        resting: { invoke: { src: "wakeUps" }, on: { "page.resumed": "refreshing" } },
        /** The data shown stays until the answer, and if there is none. */
        refreshing: {
          invoke: { src: "load", onDone: { target: "resting", actions: withOutput("assignKnown") }, onError: "resting" },
        },
      },
    }),
  };
}

/** The parts of a snapshot that the selectors read. */
export interface LoadingShown {
  tags: ReadonlySet<string>;
  context: LoadingContext;
}

export const selectIsLoading = ({ tags }: LoadingShown): boolean => tags.has("loading");
/** The server does not know the call. */
export const selectIsUnavailable = ({ tags }: LoadingShown): boolean => tags.has("unavailable");
/** Whether loading failed. */
export const selectHasFailed = ({ tags }: LoadingShown): boolean => tags.has("failed");
/** Whether the data is loaded. */
export const selectIsOpen = ({ context }: LoadingShown): boolean => context.known !== null;
/** Why the last change failed: an error code of the contract, or a flaw of a form; null if it succeeded. */
export const selectFailure = ({ context }: LoadingShown): string | null => context.failure;

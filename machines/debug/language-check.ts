import { assign, fromPromise, type SnapshotFrom, setup } from "xstate";
import type { CallReport } from "#contract/index.ts";
import { codeOf, type Failed } from "#machines/failure.ts";
import { notProvided } from "#machines/not-provided.ts";
import { withEvent, withOutput } from "#machines/with-event.ts";

export type LanguageCheckEvent =
  /** The person restarts all calls. */
  { type: "run.requested" };

interface LanguageCheckInput {
  /** The paths, in call order. */
  calls: readonly string[];
}

interface LanguageCheckContext extends LanguageCheckInput {
  /** The reports of the calls so far, in order. */
  reports: readonly CallReport[];
  /** Why the run ended early: an error code of the contract. */
  error: string | null;
}

/**
 * Makes the calls of SPEC.md section 7 ("Languages and health") in sequence, whatever they answer, and records reports.
 */
export const languageCheckMachine = setup({
  types: {
    context: {} as LanguageCheckContext,
    events: {} as LanguageCheckEvent,
    input: {} as LanguageCheckInput,
  },
  actors: {
    /** Resolves however the call ends: a failure is a report too. */
    ask: fromPromise<CallReport, { path: string }>(async () => notProvided("ask")),
  },
  actions: {
    clearReports: assign({ reports: [], error: null }),
    addReport: assign({ reports: ({ context }, report: CallReport) => [...context.reports, report] }),
    assignError: assign({ error: (_, { error }: Failed) => codeOf(error) }),
  },
  guards: { isLast: ({ context }) => context.reports.length + 1 >= context.calls.length },
}).createMachine({
  id: "languageCheck",
  context: ({ input }) => ({ ...input, reports: [], error: null }),
  initial: "asking",
  on: { "run.requested": { target: ".asking", actions: "clearReports" } },
  states: {
    asking: {
      invoke: {
        src: "ask",
        input: ({ context }) => ({ path: nextOf(context) ?? "" }),
        onDone: [
          { guard: "isLast", target: "done", actions: withOutput("addReport") },
          { target: "asking", reenter: true, actions: withOutput("addReport") },
        ],
        onError: { target: "failed", actions: withEvent("assignError") },
      },
    },
    done: {},
    failed: {},
  },
});

function nextOf({ calls, reports }: LanguageCheckContext): string | undefined {
  return calls[reports.length];
}

type Snapshot = SnapshotFrom<typeof languageCheckMachine>;

/** The same array until the next answer. */
export const selectReports = (snapshot: Snapshot): readonly CallReport[] => snapshot.context.reports;
/** The path being called; null when none is. */
export const selectAsked = (snapshot: Snapshot): string | null =>
  snapshot.matches("asking") ? (nextOf(snapshot.context) ?? null) : null;
export const selectCheckError = (snapshot: Snapshot): string | null => snapshot.context.error;
/**
 * The result that the product would use: the first successful call, or the built-in list if all fail; null until that
 * is known.
 */
export function selectUsed(snapshot: Snapshot): CallReport | "builtIn" | null {
  const first = snapshot.context.reports.find(({ accepted }) => accepted !== null);
  return first ?? (snapshot.matches("done") ? "builtIn" : null);
}

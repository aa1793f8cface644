import { fromPromise, setup } from "xstate";
import { notProvided } from "#machines/not-provided.ts";
import { withOutput } from "#machines/with-event.ts";

/** Files dropped on the dashboard: started there, or handed to the page that says why not. */
export const dropMachine = setup({
  types: {
    /** The page: files were dropped, and wait to be taken. */
    events: {} as { type: "files.dropped" },
  },
  actors: {
    /** Takes all waiting files. Resolves with whether they were started; false if nothing can be transcribed. */
    begin: fromPromise<boolean>(async () => notProvided("begin")),
  },
  actions: {
    /** Opens the page that takes the files that wait. */
    openFiles: () => notProvided("openFiles"),
  },
  guards: { hasBegun: (_, hasBegun: boolean) => hasBegun },
}).createMachine({
  id: "drop",
  initial: "idle",
  states: {
    idle: { on: { "files.dropped": "beginning" } },
    beginning: {
      on: { "files.dropped": { target: "beginning", reenter: true } },
      invoke: {
        src: "begin",
        onDone: [
          { guard: withOutput("hasBegun"), target: "idle" },
          { target: "idle", actions: "openFiles" },
        ],
        onError: { target: "idle", actions: "openFiles" },
      },
    },
  },
});

import { assign, fromCallback, type SnapshotFrom, sendTo, setup } from "xstate";
import { notProvided } from "#machines/not-provided.ts";

export type LabLiveEvent =
  /** The person has chosen what to speak, and how fast. */
  | { type: "run.requested"; run: LiveRun }
  /** The person: no more sound, but its words. */
  | { type: "stop.requested" }
  /** The person does not want to wait for the words either. */
  | { type: "cancel.requested" }
  /** The actor `connection`: the server takes frames. */
  | { type: "connection.opened" }
  /** The actor `connection`: the last frame has left. */
  | { type: "sound.ended" }
  /** The actor `connection`: every word is final. */
  | { type: "words.complete" }
  /** The actor `connection`: it ended; the code says why. */
  | { type: "connection.lost"; code: string };

/** What is spoken to the engine. The sound itself is with whoever sends it. */
export interface LiveRun {
  /** "fixture", "microphone", or the name of a file that is there. */
  source: string;
  /** At the pace of speech, or as fast as it is taken. */
  pace: "real" | "fast";
  /** A speech language of the contract. */
  language: string;
}

interface LabLiveContext {
  run: LiveRun;
  code: string | null;
}

/** The test of an engine with live speech: a sound goes out in frames; what comes back flows beside the machine. */
export const labLiveMachine = setup({
  types: { context: {} as LabLiveContext, events: {} as LabLiveEvent },
  actors: {
    /** One connection. Hears `stop.requested`, and then says the end to the server. */
    connection: fromCallback<LabLiveEvent, LiveRun>(() => notProvided("connection")),
  },
  actions: {
    beginRun: assign((_, { run }: { run: LiveRun }) => ({ run, code: null })),
    keepCode: assign({ code: (_, { code }: { code: string }) => code }),
    /** No more sound. */
    sayEnd: sendTo("connection", { type: "stop.requested" } satisfies LabLiveEvent),
  },
}).createMachine({
  id: "labLive",
  context: { run: { source: "", pace: "real", language: "" }, code: null },
  initial: "idle",
  states: {
    idle: { on: { "run.requested": { target: "running", actions: { type: "beginRun", params: ({ event }) => event } } } },
    running: {
      invoke: { src: "connection", id: "connection", input: ({ context }) => context.run },
      initial: "connecting",
      on: {
        "words.complete": "done",
        "connection.lost": { target: "failed", actions: { type: "keepCode", params: ({ event }) => event } },
        "cancel.requested": "idle",
      },
      states: {
        connecting: { on: { "connection.opened": "speaking", "stop.requested": "#labLive.idle" } },
        speaking: { on: { "sound.ended": "finishing", "stop.requested": { target: "finishing", actions: "sayEnd" } } },
        finishing: {},
      },
    },
    done: { on: { "run.requested": { target: "running", actions: { type: "beginRun", params: ({ event }) => event } } } },
    failed: { on: { "run.requested": { target: "running", actions: { type: "beginRun", params: ({ event }) => event } } } },
  },
});

type Snapshot = SnapshotFrom<typeof labLiveMachine>;

/** "idle", "connecting", "speaking", "finishing", "done" or "failed": each has its sentence on the page. */
export function selectLiveStage(snapshot: Snapshot): string {
  const { value } = snapshot;
  return typeof value === "string" ? value : value.running;
}
export const selectIsRunning = (snapshot: Snapshot): boolean => snapshot.matches("running");
export const selectLiveCode = (snapshot: Snapshot): string | null => snapshot.context.code;

import { assign, fromCallback, type SnapshotFrom, sendTo, setup } from "xstate";
import { notProvided } from "#machines/not-provided.ts";
import { withEvent } from "#machines/with-event.ts";

export type RealtimeTranscriptionEvent =
  /** The person has chosen the audio and its pace. */
  | { type: "run.requested"; run: LiveRun }
  /** The person stops the audio, and waits for its words. */
  | { type: "stop.requested" }
  /** The person stops waiting for the words. */
  | { type: "cancel.requested" }
  /** The actor `connection`: the server takes frames. */
  | { type: "connection.opened" }
  /** The actor `connection`: the last frame was sent. */
  | { type: "sound.ended" }
  /** The actor `connection`: every word is final. */
  | { type: "words.complete" }
  /** The actor `connection`: the connection was closed; the code gives the reason. */
  | { type: "connection.lost"; code: string };

/** The audio for the engine. Its bytes are outside the machine. */
export interface LiveRun {
  /** "fixture", "microphone", or the name of the chosen file. */
  source: string;
  /** In real time, or as fast as the server accepts the audio. */
  pace: "real" | "fast";
  /** A speech language of the contract. */
  language: string;
}

interface RealtimeTranscriptionContext {
  run: LiveRun;
  code: string | null;
}

/** The engine test with live speech: audio is sent in frames; results bypass the machine. */
export const realtimeTranscriptionMachine = setup({
  types: { context: {} as RealtimeTranscriptionContext, events: {} as RealtimeTranscriptionEvent },
  actors: {
    /** One connection. On `stop.requested` it signals the end to the server. */
    connection: fromCallback<RealtimeTranscriptionEvent, LiveRun>(() => notProvided("connection")),
  },
  actions: {
    beginRun: assign((_, { run }: { run: LiveRun }) => ({ run, code: null })),
    assignCode: assign({ code: (_, { code }: { code: string }) => code }),
    /** Signals the end of the audio. */
    sendEnd: sendTo("connection", { type: "stop.requested" } satisfies RealtimeTranscriptionEvent),
  },
}).createMachine({
  id: "realtimeTranscription",
  context: { run: { source: "", pace: "real", language: "" }, code: null },
  initial: "idle",
  states: {
    idle: { on: { "run.requested": { target: "running", actions: withEvent("beginRun") } } },
    running: {
      invoke: { src: "connection", id: "connection", input: ({ context }) => context.run },
      initial: "connecting",
      on: {
        "words.complete": "done",
        "connection.lost": { target: "failed", actions: withEvent("assignCode") },
        "cancel.requested": "idle",
      },
      states: {
        connecting: { on: { "connection.opened": "speaking", "stop.requested": "#realtimeTranscription.idle" } },
        speaking: { on: { "sound.ended": "finishing", "stop.requested": { target: "finishing", actions: "sendEnd" } } },
        finishing: {},
      },
    },
    done: { on: { "run.requested": { target: "running", actions: withEvent("beginRun") } } },
    failed: { on: { "run.requested": { target: "running", actions: withEvent("beginRun") } } },
  },
});

type Snapshot = SnapshotFrom<typeof realtimeTranscriptionMachine>;

/** "idle", "connecting", "speaking", "finishing", "done" or "failed": each has its text on the page. */
export function selectLiveStage(snapshot: Snapshot): string {
  const { value } = snapshot;
  return typeof value === "string" ? value : value.running;
}
export const selectIsRunning = (snapshot: Snapshot): boolean => snapshot.matches("running");
export const selectLiveCode = (snapshot: Snapshot): string | null => snapshot.context.code;

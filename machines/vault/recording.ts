import { assign, fromCallback, fromPromise, setup } from "xstate";
import { codeOf, type Failed } from "#machines/failure.ts";
import { notProvided } from "#machines/not-provided.ts";
import { withEvent, withOutput } from "#machines/with-event.ts";

/** A recording interrupted by a reload or a crash: encrypted, in this browser. */
export interface VaultLeftover {
  id: string;
  /** Epoch ms. */
  startedAt: number;
  durationSeconds: number;
}

export type VaultRecordingEvent =
  /** The person; or the page, when it is left: the same as Stop. */
  | { type: "start.requested" }
  | { type: "stop.requested" }
  | { type: "leftover.saveRequested"; id: string }
  | { type: "leftover.discardRequested"; id: string }
  /** A saved leftover has arrived, or the vault was opened: the list is fetched again. */
  | { type: "leftovers.changed" }
  /** The actor `capture`. */
  | { type: "microphone.lost" }
  | { type: "storage.troubled" };

interface VaultRecordingContext {
  leftovers: readonly VaultLeftover[];
  /** The one that is saved or discarded; "" before the first. */
  leftoverId: string;
  /** Why it failed: one of the microphone's problems, or an error code. */
  failure: string | null;
  /** The microphone was lost during the recording. */
  lost: boolean;
  /** The browser can't store the recording: until it is in the vault it is in memory only. */
  troubled: boolean;
}

/** Recording into the vault. Audio is encrypted before the browser stores any of it; at the end it becomes a transfer. */
export const vaultRecordingMachine = setup({
  types: {
    context: {} as VaultRecordingContext,
    events: {} as VaultRecordingEvent,
    tags: {} as Exclude<VaultRecordingPhase, "idle">,
  },
  actors: {
    findLeftovers: fromPromise<readonly VaultLeftover[]>(async () => notProvided("findLeftovers")),
    openMicrophone: fromPromise<void>(async () => notProvided("openMicrophone")),
    /** Records while it runs. Level and duration bypass the machine. */
    capture: fromCallback<VaultRecordingEvent>(() => notProvided("capture")),
    /** Ends the recording and turns it into a transfer. */
    finish: fromPromise<void>(async () => notProvided("finish")),
    /** Turns a leftover into a transfer; the vault must be open. */
    saveLeftover: fromPromise<void, { id: string }>(async () => notProvided("saveLeftover")),
    discardLeftover: fromPromise<void, { id: string }>(async () => notProvided("discardLeftover")),
  },
  actions: {
    startAfresh: assign({ failure: null, lost: false, troubled: false }),
    assignLeftovers: assign({ leftovers: (_, leftovers: readonly VaultLeftover[]) => leftovers }),
    chooseLeftover: assign({ leftoverId: (_, { id }: { id: string }) => id }),
    rememberFailure: assign({ failure: (_, { error }: Failed) => codeOf(error) }),
    noteLoss: assign({ lost: true }),
    noteTrouble: assign({ troubled: true }),
  },
  // So that the last word is not cut off (milliseconds).
  delays: { keepRecording: 300 },
}).createMachine({
  id: "vaultRecording",
  context: { leftovers: [], leftoverId: "", failure: null, lost: false, troubled: false },
  initial: "checking",
  states: {
    checking: {
      invoke: {
        src: "findLeftovers",
        onDone: { target: "idle", actions: withOutput("assignLeftovers") },
        // A browser that stores nothing has no leftovers.
        onError: "idle",
      },
      on: { "start.requested": { target: "opening", actions: "startAfresh" } },
    },
    idle: {
      on: {
        "start.requested": { target: "opening", actions: "startAfresh" },
        "leftover.saveRequested": { target: "savingLeftover", actions: ["startAfresh", withEvent("chooseLeftover")] },
        "leftover.discardRequested": { target: "discardingLeftover", actions: ["startAfresh", withEvent("chooseLeftover")] },
        "leftovers.changed": "checking",
      },
    },
    opening: {
      tags: "opening",
      invoke: { src: "openMicrophone", onDone: "capturing", onError: { target: "idle", actions: withEvent("rememberFailure") } },
      on: { "stop.requested": "checking" },
    },
    capturing: {
      invoke: { src: "capture" },
      on: {
        "microphone.lost": { target: "finishing", actions: "noteLoss" },
        "storage.troubled": { actions: "noteTrouble" },
      },
      initial: "recording",
      states: {
        recording: { tags: "recording", on: { "stop.requested": "stopping" } },
        stopping: { tags: "stopping", after: { keepRecording: "#vaultRecording.finishing" } },
      },
    },
    finishing: {
      tags: "finishing",
      invoke: { src: "finish", onDone: "checking", onError: { target: "checking", actions: withEvent("rememberFailure") } },
    },
    savingLeftover: {
      tags: "working",
      invoke: {
        src: "saveLeftover",
        input: ({ context }) => ({ id: context.leftoverId }),
        onDone: "checking",
        onError: { target: "idle", actions: withEvent("rememberFailure") },
      },
    },
    discardingLeftover: {
      tags: "working",
      invoke: {
        src: "discardLeftover",
        input: ({ context }) => ({ id: context.leftoverId }),
        onDone: "checking",
        onError: { target: "idle", actions: withEvent("rememberFailure") },
      },
    },
  },
});

type RecordingSnapshot = ReturnType<typeof vaultRecordingMachine.getInitialSnapshot>;

const shown = ["opening", "recording", "stopping", "finishing", "working"] as const;
/** The displayed state (`vault:recording.state.<name>`). */
export type VaultRecordingPhase = "idle" | (typeof shown)[number];

export const selectRecordingPhase = (snapshot: RecordingSnapshot): VaultRecordingPhase =>
  shown.find((phase) => snapshot.hasTag(phase)) ?? "idle";
export const selectLeftovers = (snapshot: RecordingSnapshot): readonly VaultLeftover[] =>
  snapshot.matches("idle") ? snapshot.context.leftovers : none;
const none: readonly VaultLeftover[] = [];
export const selectRecordingFailure = (snapshot: RecordingSnapshot): string | null => snapshot.context.failure;
export const selectMicrophoneWasLost = (snapshot: RecordingSnapshot): boolean => snapshot.context.lost;
export const selectIsTroubled = (snapshot: RecordingSnapshot): boolean => snapshot.context.troubled;

import { assign, fromCallback, fromPromise, setup } from "xstate";
import { codeOf, type Failed } from "#machines/failure.ts";
import { notProvided } from "#machines/not-provided.ts";
import { withEvent, withOutput } from "#machines/with-event.ts";

/** A recording that a reload or crash interrupted: encrypted, in this browser. */
export interface VaultLeftover {
  id: string;
  /** Epoch ms. */
  startedAt: number;
  durationSeconds: number;
}

/**
 * The recognition of a recording's words: none; live; live until the vault was locked; or from the whole audio when it
 * is in the vault.
 */
export type VaultWords = "none" | "live" | "cut" | "afterwards";

export type VaultRecordingEvent =
  /** Sent by the person, or by the page when it is left, which has the effect of Stop. */
  | { type: "start.requested" }
  | { type: "stop.requested" }
  | { type: "leftover.saveRequested"; id: string }
  | { type: "leftover.discardRequested"; id: string }
  /** A saved leftover has arrived in the vault, or the vault was opened: the list is fetched again. */
  | { type: "leftovers.changed" }
  /** The actor `capture`. */
  | { type: "microphone.lost" }
  | { type: "storage.troubled" }
  /** The actor `capture`: the recognizer failed; a code of `device-models:failure.*`. */
  | { type: "words.failed"; code: string }
  /** The vault was locked: recording stops, and no word stays on the page. */
  | { type: "vault.locked" };

interface VaultRecordingContext {
  leftovers: readonly VaultLeftover[];
  /** The leftover that is being saved or discarded; "" before the first. */
  leftoverId: string;
  /** Why recording failed: one of the microphone's problems, or an error code. */
  failure: string | null;
  /** The microphone was lost during the recording. */
  lost: boolean;
  /** The browser can't store the recording: until it is in the vault it is in memory only. */
  troubled: boolean;
  words: VaultWords;
  /** Why recognition stopped before the recording ended. */
  wordsFailure: string | null;
  /** Recognition ran, but recognized no word. */
  silent: boolean;
}

/** Records into the vault. Audio is encrypted before the browser stores any of it; at the end it becomes a transfer. */
export const vaultRecordingMachine = setup({
  types: {
    context: {} as VaultRecordingContext,
    events: {} as VaultRecordingEvent,
    tags: {} as Exclude<VaultRecordingPhase, "idle">,
  },
  actors: {
    findLeftovers: fromPromise<readonly VaultLeftover[]>(async () => notProvided("findLeftovers")),
    /** Resolves with the kind of recognition: live if a recognizer is ready. */
    openMicrophone: fromPromise<VaultWords>(async () => notProvided("openMicrophone")),
    /** Records while it runs. Level, duration and words bypass the machine. */
    capture: fromCallback<VaultRecordingEvent, { words: VaultWords }>(() => notProvided("capture")),
    /** Ends the recording when the browser has stored all of it. */
    finish: fromPromise<void>(async () => notProvided("finish")),
    /** Waits for the words that are still being recognized. Resolves with whether there are any. */
    finishWords: fromPromise<boolean>(async () => notProvided("finishWords")),
    /** Turns the recording into a transfer, with its words. */
    consign: fromPromise<void, { words: VaultWords }>(async () => notProvided("consign")),
    /** Turns a leftover into a transfer; the vault must be open. */
    saveLeftover: fromPromise<void, { id: string }>(async () => notProvided("saveLeftover")),
    discardLeftover: fromPromise<void, { id: string }>(async () => notProvided("discardLeftover")),
  },
  actions: {
    /** Stops the recognizer, and clears the shown words. */
    hideWords: () => notProvided("hideWords"),
    startAfresh: assign({ failure: null, lost: false, troubled: false, words: "none", wordsFailure: null, silent: false }),
    assignLeftovers: assign({ leftovers: (_, leftovers: readonly VaultLeftover[]) => leftovers }),
    chooseLeftover: assign({ leftoverId: (_, { id }: { id: string }) => id }),
    rememberFailure: assign({ failure: (_, { error }: Failed) => codeOf(error) }),
    noteLoss: assign({ lost: true }),
    noteTrouble: assign({ troubled: true }),
    assignWords: assign({ words: (_, words: VaultWords) => words }),
    cutWords: assign({ words: ({ context: { words } }) => (words === "live" ? "cut" : words) }),
    recordWordsFailure: assign((_, { code }: { code: string }) => ({ words: "afterwards" as const, wordsFailure: code })),
    noteSilence: assign({ silent: (_, hasWords: boolean) => !hasWords }),
  },
  guards: { areWordsLive: ({ context }) => context.words === "live" },
  // In ms.
  delays: {
    /** Keeps the last word complete. */
    keepRecording: 300,
    /** For the words after Stop: the audio does not wait longer. */
    finishWords: 60_000,
  },
}).createMachine({
  id: "vaultRecording",
  context: {
    leftovers: [],
    leftoverId: "",
    failure: null,
    lost: false,
    troubled: false,
    words: "none",
    wordsFailure: null,
    silent: false,
  },
  initial: "checking",
  states: {
    checking: {
      invoke: {
        src: "findLeftovers",
        onDone: { target: "idle", actions: withOutput("assignLeftovers") },
        // A browser that can't store anything has no leftovers.
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
      invoke: {
        src: "openMicrophone",
        onDone: { target: "capturing", actions: withOutput("assignWords") },
        onError: { target: "idle", actions: withEvent("rememberFailure") },
      },
      on: { "stop.requested": "checking", "vault.locked": "checking" },
    },
    capturing: {
      invoke: { src: "capture", input: ({ context }) => ({ words: context.words }) },
      on: {
        "microphone.lost": { target: "finishing", actions: "noteLoss" },
        "storage.troubled": { actions: "noteTrouble" },
        "words.failed": { actions: withEvent("recordWordsFailure") },
        "vault.locked": { target: ".stopping", actions: ["cutWords", "hideWords"] },
      },
      initial: "recording",
      states: {
        recording: { tags: "recording", on: { "stop.requested": "stopping" } },
        stopping: { tags: "stopping", after: { keepRecording: "#vaultRecording.finishing" } },
      },
    },
    finishing: {
      tags: "finishing",
      invoke: {
        src: "finish",
        onDone: [{ guard: "areWordsLive", target: "understanding" }, { target: "consigning" }],
        onError: { target: "checking", actions: withEvent("rememberFailure") },
      },
      on: { "vault.locked": { actions: ["cutWords", "hideWords"] } },
    },
    understanding: {
      tags: "understanding",
      invoke: {
        src: "finishWords",
        onDone: { target: "consigning", actions: withOutput("noteSilence") },
        onError: {
          target: "consigning",
          actions: { type: "recordWordsFailure", params: ({ event }) => ({ code: codeOf(event.error) }) },
        },
      },
      after: { finishWords: { target: "consigning", actions: { type: "recordWordsFailure", params: { code: "tooSlow" } } } },
      on: { "vault.locked": { target: "consigning", actions: ["cutWords", "hideWords"] } },
    },
    consigning: {
      tags: "finishing",
      invoke: {
        src: "consign",
        input: ({ context }) => ({ words: context.words }),
        onDone: "checking",
        onError: { target: "checking", actions: withEvent("rememberFailure") },
      },
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

const shown = ["opening", "recording", "stopping", "understanding", "finishing", "working"] as const;
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
/** The recognition of the last recording's words. */
export const selectWords = (snapshot: RecordingSnapshot): VaultWords => snapshot.context.words;
/** Why words stopped coming (`device-models:failure.*`). */
export const selectWordsFailure = (snapshot: RecordingSnapshot): string | null => snapshot.context.wordsFailure;
/** Words were wanted, and none was recognized. */
export const selectWasSilent = (snapshot: RecordingSnapshot): boolean => snapshot.context.silent;

import { type ActorRef, assign, fromPromise, type Snapshot, type SnapshotFrom, sendTo, setup } from "xstate";
import {
  type InstallationFailure,
  type InstallationState,
  installationFailures,
  installationStates,
  type ModelCheck,
} from "#contract/index.ts";
import type { Failed } from "#machines/failure.ts";
import { notProvided } from "#machines/not-provided.ts";
import { withEvent, withOutput } from "#machines/with-event.ts";

export type InstallationEvent =
  /** A superuser, or a start of the server that finds an unfinished download. */
  | { type: "install.requested" }
  /** The model came as a file and is on the disk. */
  | { type: "file.given" }
  | { type: "pause.requested" }
  | { type: "resume.requested" }
  | { type: "cancel.requested" }
  /** From the queue: large installations run one at a time. */
  | { type: "slot.given" };

/** Emitted to the queue. */
export type InstallationEmitted = { type: "slot.requested"; id: string } | { type: "slot.released"; id: string };

/** The error that an actor rejects with; anything else counts as `unknown`. */
export interface InstallationError {
  failure: InstallationFailure;
  /** In English, for the operator. */
  detail: string;
  /** The same attempt may succeed a little later: the connection broke, the server is busy. */
  isPassing: boolean;
  /** This attempt brought bytes that the one before did not have. */
  hasProgressed: boolean;
}

interface InstallationInput {
  /** The model's. */
  id: string;
  /** Number of sources (mirrors) that have it. */
  sources: number;
  queue: ActorRef<Snapshot<unknown>, InstallationEmitted>;
}

interface InstallationContext extends InstallationInput {
  /** The source in use: 0, 1, … */
  source: number;
  /** Whether the model came as a file. */
  isFromFile: boolean;
  /** Consecutive attempts that failed, since the last that made progress. */
  attempts: number;
  check: ModelCheck | null;
  failure: InstallationFailure | null;
  detail: string | null;
  /** Whether the person asked for it again while its files were being deleted. */
  isRequestedAgain: boolean;
}

/** Attempts per source: together they take about two minutes. */
export const maxAttempts = 8;
const [firstDelay, longestDelay] = [1_000, 60_000];
/** Another source may do better after these. */
const sourceFailures: readonly InstallationFailure[] = ["unreachable", "gone", "mismatch", "damaged"];

/** The installation of one model: its slot, the download with retries and mirrors, verification, unpacking and test. */
export const modelInstallationMachine = setup({
  types: {
    context: {} as InstallationContext,
    events: {} as InstallationEvent,
    input: {} as InstallationInput,
    tags: {} as InstallationState,
  },
  actors: {
    /** Downloads all files of the source, continuing with what is on the disk. Progress bypasses the machine. */
    download: fromPromise<void, { id: string; source: number }>(async () => notProvided("download")),
    /** Compares the files with their published fingerprints, and deletes files that differ. */
    verify: fromPromise<ModelCheck, { id: string; source: number; isFromFile: boolean }>(async () => notProvided("verify")),
    /** Unpacks beside, and may pass a stricter check than the one before. */
    unpack: fromPromise<ModelCheck, { id: string; source: number; isFromFile: boolean; check: ModelCheck | null }>(async () =>
      notProvided("unpack"),
    ),
    tryOut: fromPromise<void, { id: string }>(async () => notProvided("tryOut")),
    /** Makes it visible as a model. */
    place: fromPromise<void, { id: string; check: ModelCheck | null }>(async () => notProvided("place")),
    /** Deletes all files of the model. */
    discard: fromPromise<void, { id: string }>(async () => notProvided("discard")),
  },
  actions: {
    requestSlot: sendTo(
      ({ context }) => context.queue,
      ({ context }) => ({ type: "slot.requested", id: context.id }) as const,
    ),
    releaseSlot: sendTo(
      ({ context }) => context.queue,
      ({ context }) => ({ type: "slot.released", id: context.id }) as const,
    ),
    resetProgress: assign({ attempts: 0, failure: null, detail: null, check: null, isRequestedAgain: false }),
    chooseFirstSource: assign({ source: 0 }),
    noteFile: assign({ isFromFile: true }),
    dropFile: assign({ isFromFile: false, source: 0 }),
    countAttempt: assign({
      attempts: ({ context }, { error }: Failed) => (errorOf(error).hasProgressed ? 1 : context.attempts + 1),
    }),
    chooseNextSource: assign({ source: ({ context }) => context.source + 1, attempts: 0 }),
    assignCheck: assign({ check: (_, check: ModelCheck) => check }),
    /** An earlier source's failure says more than that a later source can't be reached. */
    assignFailure: assign(({ context }, { error }: Failed) => {
      const { failure, detail } = errorOf(error);
      const isTelling = context.failure !== null && context.failure !== "unreachable";
      return isTelling && ["unreachable", "gone"].includes(failure) ? {} : { failure, detail };
    }),
    requestAgain: assign({ isRequestedAgain: true }),
  },
  guards: {
    isFromFile: ({ context }) => context.isFromFile,
    mayPass: ({ context }, { error }: Failed) => {
      const { isPassing, hasProgressed } = errorOf(error);
      return isPassing && (hasProgressed || context.attempts + 1 < maxAttempts);
    },
    mayHelpElsewhere: ({ context }, { error }: Failed) =>
      !context.isFromFile && context.source + 1 < context.sources && sourceFailures.includes(errorOf(error).failure),
    isRequestedAgain: ({ context }) => context.isRequestedAgain,
  },
  delays: { backOff: ({ context }) => Math.min(longestDelay, firstDelay * 2 ** (context.attempts - 1)) },
}).createMachine({
  id: "modelInstallation",
  context: ({ input }) => ({
    ...input,
    source: 0,
    isFromFile: false,
    attempts: 0,
    check: null,
    failure: null,
    detail: null,
    isRequestedAgain: false,
  }),
  initial: "idle",
  states: {
    /** The installation has not started. A server that starts finds paused installations. */
    idle: {
      on: {
        "install.requested": "working",
        "pause.requested": "paused",
        "file.given": { target: "working", actions: "noteFile" },
      },
    },
    working: {
      entry: ["resetProgress", "requestSlot"],
      exit: "releaseSlot",
      initial: "waiting",
      states: {
        waiting: {
          tags: "waiting",
          on: {
            "slot.given": [{ guard: "isFromFile", target: "verifying" }, { target: "downloading" }],
            "pause.requested": "#modelInstallation.paused",
            "cancel.requested": "#modelInstallation.cancelled",
          },
        },
        downloading: {
          tags: "downloading",
          on: { "pause.requested": "#modelInstallation.paused", "cancel.requested": "#modelInstallation.cancelled" },
          initial: "transferring",
          states: {
            transferring: {
              invoke: {
                src: "download",
                input: ({ context: { id, source } }) => ({ id, source }),
                onDone: "#modelInstallation.working.verifying",
                onError: [
                  { guard: withEvent("mayPass"), target: "backingOff", actions: withEvent("countAttempt") },
                  {
                    guard: withEvent("mayHelpElsewhere"),
                    target: "transferring",
                    reenter: true,
                    actions: [withEvent("assignFailure"), "chooseNextSource"],
                  },
                  { target: "#modelInstallation.failed", actions: withEvent("assignFailure") },
                ],
              },
            },
            backingOff: { after: { backOff: "transferring" } },
          },
        },
        verifying: {
          tags: "verifying",
          on: { "cancel.requested": "#modelInstallation.cancelled" },
          invoke: {
            src: "verify",
            input: ({ context: { id, source, isFromFile } }) => ({ id, source, isFromFile }),
            onDone: { target: "unpacking", actions: withOutput("assignCheck") },
            onError: [
              {
                guard: withEvent("mayHelpElsewhere"),
                target: "downloading",
                actions: [withEvent("assignFailure"), "chooseNextSource"],
              },
              { target: "#modelInstallation.failed", actions: withEvent("assignFailure") },
            ],
          },
        },
        unpacking: {
          tags: "unpacking",
          on: { "cancel.requested": "#modelInstallation.cancelled" },
          invoke: {
            src: "unpack",
            input: ({ context: { id, source, isFromFile, check } }) => ({ id, source, isFromFile, check }),
            onDone: { target: "trying", actions: withOutput("assignCheck") },
            onError: [
              {
                guard: withEvent("mayHelpElsewhere"),
                target: "downloading",
                actions: [withEvent("assignFailure"), "chooseNextSource"],
              },
              { target: "#modelInstallation.failed", actions: withEvent("assignFailure") },
            ],
          },
        },
        trying: {
          tags: "trying",
          initial: "answering",
          states: {
            answering: {
              on: { "cancel.requested": "#modelInstallation.cancelled" },
              invoke: {
                src: "tryOut",
                input: ({ context: { id } }) => ({ id }),
                onDone: "placing",
                onError: { target: "#modelInstallation.failed", actions: withEvent("assignFailure") },
              },
            },
            placing: {
              // Too late for calling off: it becomes visible in this moment, and may be in use in the next.
              invoke: {
                src: "place",
                input: ({ context: { id, check } }) => ({ id, check }),
                onDone: "#modelInstallation.installed",
                onError: { target: "#modelInstallation.failed", actions: withEvent("assignFailure") },
              },
            },
          },
        },
      },
    },
    paused: {
      tags: "paused",
      on: { "resume.requested": "working", "install.requested": "working", "cancel.requested": "cancelled" },
    },
    installed: { tags: "installed" },
    failed: {
      tags: "failed",
      // Downloaded files are used again.
      on: { "install.requested": { target: "working", actions: "chooseFirstSource" }, "cancel.requested": "cancelled" },
    },
    cancelled: {
      tags: "cancelled",
      entry: "dropFile",
      initial: "discarding",
      states: {
        discarding: {
          on: { "install.requested": { actions: "requestAgain" } },
          invoke: {
            src: "discard",
            input: ({ context }) => ({ id: context.id }),
            onDone: "discarded",
            onError: "discarded",
          },
        },
        discarded: {
          always: { guard: "isRequestedAgain", target: "#modelInstallation.working" },
          on: { "install.requested": "#modelInstallation.working" },
        },
      },
    },
  },
});

export type InstallationSnapshot = SnapshotFrom<typeof modelInstallationMachine>;

/** The state in the list; null if there is no installation. */
export const selectState = (snapshot: InstallationSnapshot): InstallationState | null =>
  installationStates.find((state) => snapshot.hasTag(state)) ?? null;

const isFailure = (value: unknown): value is InstallationFailure => installationFailures.some((failure) => failure === value);

function errorOf(error: unknown): InstallationError {
  const thrown: object = typeof error === "object" && error !== null ? error : {};
  const failure = "failure" in thrown && isFailure(thrown.failure) ? thrown.failure : "unknown";
  const detail = "detail" in thrown && typeof thrown.detail === "string" ? thrown.detail : String(error);
  const says = (name: string) => Object.entries(thrown).some(([key, value]) => key === name && value === true);
  return { failure, detail, isPassing: says("isPassing"), hasProgressed: says("hasProgressed") };
}

import { type ActorRef, assign, fromCallback, fromPromise, type Snapshot, sendTo, setup } from "xstate";
import type { VaultItem } from "#contract/index.ts";
import { codeOf, type Failed } from "#machines/failure.ts";
import { notProvided } from "#machines/not-provided.ts";
import { exponentialBackOff } from "#machines/transcriptions/event-stream.ts";
import { isSignedOut, mayPass } from "#machines/uploads/rules.ts";
import { withEvent, withOutput } from "#machines/with-event.ts";

export type VaultTransferEvent =
  /** The list gives this transfer a slot. */
  | { type: "slot.given" }
  /** Sent by the person. */
  | { type: "cancel.requested" }
  | { type: "retry.requested" }
  /** The actor `wakeUps`: the network is back, or the device woke up. */
  | { type: "page.resumed" }
  /** The actor `signIn`: the vault's owner is signed in again. */
  | { type: "session.resumed" };

/** Emitted to the list. */
export type VaultTransferEmitted =
  | { type: "slot.requested"; id: string }
  | { type: "slot.released"; id: string }
  /** The recording is in the vault. */
  | { type: "transfer.done"; id: string; item: VaultItem }
  /** The server has no trace of it. */
  | { type: "transfer.cancelled"; id: string };

interface VaultTransferInput {
  id: string;
  /** Size of the encrypted file in bytes. */
  size: number;
  /** The original is deleted after the vault's copy has been read back and compared. */
  moves: boolean;
  list: ActorRef<Snapshot<unknown>, VaultTransferEmitted>;
}

interface VaultTransferContext extends VaultTransferInput {
  /** Consecutive failed attempts. */
  attempts: number;
  code: string | null;
  item: VaultItem | null;
}

/**
 * The transfer of one recording into the vault: encrypted, and sent in parts. A move compares the copy before it
 * deletes the original.
 */
export const vaultTransferMachine = setup({
  types: {
    context: {} as VaultTransferContext,
    events: {} as VaultTransferEvent,
    input: {} as VaultTransferInput,
    tags: {} as VaultTransferState | "over",
  },
  actors: {
    /** Continues with the first unconfirmed part. Progress bypasses the machine. */
    send: fromPromise<VaultItem, { id: string }>(async () => notProvided("send")),
    /** Reads it back, compares it, and deletes the original. */
    settle: fromPromise<void, { id: string; item: VaultItem | null }>(async () => notProvided("settle")),
    /** Deletes a cancelled transfer's parts from the server. */
    discard: fromPromise<void, { id: string }>(async () => notProvided("discard")),
    wakeUps: fromCallback<VaultTransferEvent>(() => notProvided("wakeUps")),
    signIn: fromCallback<VaultTransferEvent>(() => notProvided("signIn")),
  },
  actions: {
    requestSlot: sendTo(
      ({ context }) => context.list,
      ({ context }) => ({ type: "slot.requested", id: context.id }) as const,
    ),
    releaseSlot: sendTo(
      ({ context }) => context.list,
      ({ context }) => ({ type: "slot.released", id: context.id }) as const,
    ),
    reportDone: sendTo(
      ({ context }) => context.list,
      (_, params: { id: string; item: VaultItem }) => ({ type: "transfer.done", ...params }) as const,
    ),
    reportCancelled: sendTo(
      ({ context }) => context.list,
      ({ context }) => ({ type: "transfer.cancelled", id: context.id }) as const,
    ),
    startAfresh: assign({ attempts: 0, code: null }),
    countAttempt: assign({ attempts: ({ context }) => context.attempts + 1 }),
    assignCode: assign({ code: (_, { error }: Failed) => codeOf(error) }),
    assignItem: assign({ item: (_, item: VaultItem) => item, attempts: 0 }),
  },
  guards: {
    moves: ({ context }) => context.moves,
    hasArrived: ({ context }) => context.item !== null,
    isSignedOut: (_, { error }: Failed) => isSignedOut(error),
    mayPass: ({ context }, { error }: Failed) => codeOf(error) === "locked" || mayPass(error, context.attempts + 1),
  },
  delays: { backOff: ({ context }) => exponentialBackOff(context.attempts) },
}).createMachine({
  id: "vaultTransfer",
  context: ({ input }) => ({ ...input, attempts: 0, code: null, item: null }),
  initial: "working",
  states: {
    working: {
      entry: ["startAfresh", "requestSlot"],
      exit: "releaseSlot",
      on: { "cancel.requested": "discarding" },
      initial: "queued",
      states: {
        queued: { tags: "queued", on: { "slot.given": [{ guard: "hasArrived", target: "settling" }, { target: "sending" }] } },
        sending: {
          tags: "sending",
          invoke: {
            src: "send",
            input: ({ context }) => ({ id: context.id }),
            onDone: [
              { guard: "moves", target: "settling", actions: withOutput("assignItem") },
              {
                target: "#vaultTransfer.done",
                actions: [
                  withOutput("assignItem"),
                  { type: "reportDone", params: ({ context, event }) => ({ id: context.id, item: event.output }) },
                ],
              },
            ],
            onError: [
              { guard: withEvent("isSignedOut"), target: "waitingForSignIn" },
              { guard: withEvent("mayPass"), target: "waitingForServer", actions: "countAttempt" },
              { target: "#vaultTransfer.failed", actions: withEvent("assignCode") },
            ],
          },
        },
        settling: {
          tags: "settling",
          invoke: {
            src: "settle",
            input: ({ context }) => ({ id: context.id, item: context.item }),
            onDone: {
              target: "#vaultTransfer.done",
              actions: {
                type: "reportDone",
                params: ({ context }) => {
                  if (context.item === null) throw new Error("Nothing has arrived.");
                  return { id: context.id, item: context.item };
                },
              },
            },
            onError: [
              { guard: withEvent("isSignedOut"), target: "waitingForSignIn" },
              { guard: withEvent("mayPass"), target: "waitingForServer", actions: "countAttempt" },
              { target: "#vaultTransfer.failed", actions: withEvent("assignCode") },
            ],
          },
        },
        waitingForServer: {
          tags: "waitingForServer",
          invoke: { src: "wakeUps" },
          after: { backOff: "again" },
          on: { "page.resumed": "again", "retry.requested": "again" },
        },
        waitingForSignIn: {
          tags: "waitingForSignIn",
          invoke: { src: "signIn" },
          on: { "session.resumed": "again", "retry.requested": "again" },
        },
        again: { tags: "sending", always: [{ guard: "hasArrived", target: "settling" }, { target: "sending" }] },
      },
    },
    failed: { tags: "failed", on: { "retry.requested": "working", "cancel.requested": "discarding" } },
    discarding: {
      tags: "cancelled",
      invoke: { src: "discard", input: ({ context }) => ({ id: context.id }), onDone: "cancelled", onError: "cancelled" },
    },
    cancelled: { tags: ["cancelled", "over"], entry: "reportCancelled" },
    done: { tags: ["done", "over"] },
  },
});

type TransferSnapshot = ReturnType<typeof vaultTransferMachine.getInitialSnapshot>;

const states = ["queued", "sending", "settling", "waitingForServer", "waitingForSignIn", "failed", "cancelled", "done"] as const;
/** The displayed state (`vault:transfer.state.<name>`). */
export type VaultTransferState = (typeof states)[number];

export const selectTransferState = (snapshot: TransferSnapshot): VaultTransferState =>
  states.find((state) => snapshot.hasTag(state)) ?? "queued";
/** Why it failed; null if it did not. */
export const selectTransferFailure = (snapshot: TransferSnapshot): string | null =>
  snapshot.matches("failed") ? snapshot.context.code : null;
export const selectTransferSize = (snapshot: TransferSnapshot): number => snapshot.context.size;
/** Whether it is finished or cancelled. */
export const selectTransferIsOver = (snapshot: TransferSnapshot): boolean => snapshot.hasTag("over");
export const selectCanRetry = (snapshot: TransferSnapshot): boolean => snapshot.can({ type: "retry.requested" });
export const selectCanCancel = (snapshot: TransferSnapshot): boolean => snapshot.can({ type: "cancel.requested" });

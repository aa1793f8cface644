import { assign, fromCallback, fromPromise, type SnapshotFrom, setup } from "xstate";
import { codeOf, type Failed } from "#machines/failure.ts";
import { notProvided } from "#machines/not-provided.ts";
import { withEvent } from "#machines/with-event.ts";

export type VaultReadingEvent =
  /** The page shows the text, or hides it, which discards the decrypted text. */
  | { type: "open.requested" }
  | { type: "close.requested" }
  | { type: "retry.requested" }
  /** The person corrects a passage. Input in another passage is saved first. */
  | { type: "edit.requested"; index: number }
  | { type: "save.requested" }
  | { type: "edit.cancelled" }
  /** The text was recognized again. Input stays in its field, but it is not saved over the new text of its passage. */
  | { type: "text.replaced" }
  /** Sent by the actor `wakeUps` (the network is back, or the device woke up), or when the vault is unlocked again. */
  | { type: "page.resumed" };

interface VaultReadingContext {
  id: string;
  /** The passage whose field is open; null if none is. */
  index: number | null;
  /** The passage whose field opens when this one is saved. */
  next: number | null;
  /** Why the last operation failed. */
  failure: string | null;
}

interface Input {
  id: string;
}

/** While a field is open and not being saved. */
const whileTyping = {
  "save.requested": "saving",
  "edit.cancelled": { target: "#vaultReading.open.reading", actions: "drop" },
  "edit.requested": { guard: withEvent("isOther"), target: "saving", actions: withEvent("assignNext") },
} as const;

/**
 * The text of one recording in the vault: read and corrected. The text and the input are outside the machine. Input is
 * never lost: if it can't be saved, it stays in its field; if the vault is locked, it is encrypted and stored.
 */
export const vaultReadingMachine = setup({
  types: {
    context: {} as VaultReadingContext,
    events: {} as VaultReadingEvent,
    input: {} as Input,
    tags: {} as "fetching" | "failed" | "saving" | "notSaved",
  },
  actors: {
    /** Fetches and decrypts the text. */
    open: fromPromise<void, Input>(async () => notProvided("open")),
    /** Applies the input to the text, and stores the text. Does nothing without a change. */
    save: fromPromise<void, { index: number | null }>(async () => notProvided("save")),
    /** Stores the encrypted text. */
    keep: fromPromise<void, Input>(async () => notProvided("keep")),
    /** The browser asks before it leaves the page. */
    holdPage: fromCallback(() => notProvided("holdPage")),
    wakeUps: fromCallback<VaultReadingEvent>(() => notProvided("wakeUps")),
  },
  actions: {
    /** Puts the passage's text into its field. */
    begin: (_, _params: { index: number | null }) => notProvided("begin"),
    /** Discards the input. */
    drop: () => notProvided("drop"),
    /** Encrypts the text with the input for the vault's public key, and discards both. */
    seal: (_, _params: { index: number | null }) => notProvided("seal"),
    /** Discards the decrypted text. */
    release: () => notProvided("release"),
    assignIndex: assign((_, { index }: { index: number | null }) => ({ index, next: null })),
    assignNext: assign({ next: (_, { index }: { index: number }) => index }),
    forgetNext: assign({ next: null }),
    clearIndex: assign({ index: null, next: null }),
    rememberFailure: assign({ failure: (_, { error }: Failed) => codeOf(error) }),
    clearFailure: assign({ failure: null }),
  },
  guards: {
    hasNext: ({ context }) => context.next !== null,
    isOther: ({ context }, { index }: { index: number }) => index !== context.index,
  },
}).createMachine({
  id: "vaultReading",
  context: ({ input }) => ({ id: input.id, index: null, next: null, failure: null }),
  initial: "closed",
  states: {
    closed: {
      entry: ["release", "clearIndex"],
      on: { "open.requested": "fetching" },
    },
    fetching: {
      tags: "fetching",
      entry: "clearFailure",
      on: { "close.requested": "closed" },
      invoke: {
        src: "open",
        input: ({ context }) => ({ id: context.id }),
        onDone: "open",
        onError: { target: "failed", actions: withEvent("rememberFailure") },
      },
    },
    failed: {
      tags: "failed",
      on: { "retry.requested": "fetching", "open.requested": "fetching", "close.requested": "closed" },
    },
    open: {
      initial: "reading",
      states: {
        reading: {
          entry: "clearIndex",
          on: {
            "edit.requested": { target: "editing", actions: [withEvent("begin"), withEvent("assignIndex")] },
            "close.requested": "#vaultReading.closed",
            "text.replaced": { target: "#vaultReading.fetching", actions: "release" },
          },
        },
        editing: {
          invoke: { src: "holdPage" },
          on: {
            "close.requested": {
              target: "#vaultReading.left",
              actions: { type: "seal", params: ({ context }) => ({ index: context.index }) },
            },
          },
          initial: "typing",
          states: {
            typing: { on: whileTyping },
            saving: {
              tags: "saving",
              entry: "clearFailure",
              invoke: {
                src: "save",
                input: ({ context }) => ({ index: context.index }),
                onDone: [
                  {
                    guard: "hasNext",
                    target: "typing",
                    actions: [
                      { type: "begin", params: ({ context }) => ({ index: context.next }) },
                      { type: "assignIndex", params: ({ context }) => ({ index: context.next }) },
                    ],
                  },
                  { target: "#vaultReading.open.reading", actions: "drop" },
                ],
                onError: { target: "failed", actions: [withEvent("rememberFailure"), "forgetNext"] },
              },
            },
            failed: { tags: "notSaved", on: whileTyping },
          },
        },
      },
    },
    /** The text was closed with input, which is encrypted and not on the server yet. */
    left: {
      entry: ["release", "clearIndex"],
      invoke: { src: "holdPage" },
      initial: "storing",
      states: {
        storing: {
          invoke: {
            src: "keep",
            input: ({ context }) => ({ id: context.id }),
            onDone: "#vaultReading.closed",
            onError: "waiting",
          },
          on: { "open.requested": "returning" },
        },
        waiting: { invoke: { src: "wakeUps" }, on: { "page.resumed": "storing", "open.requested": "returning" } },
        /** The text is opened again: the correction is stored first. */
        returning: {
          tags: "fetching",
          entry: "clearFailure",
          on: { "close.requested": "storing" },
          invoke: {
            src: "keep",
            input: ({ context }) => ({ id: context.id }),
            onDone: "#vaultReading.fetching",
            onError: { target: "refused", actions: withEvent("rememberFailure") },
          },
        },
        refused: {
          tags: "failed",
          on: { "retry.requested": "returning", "open.requested": "returning", "close.requested": "waiting" },
        },
      },
    },
  },
});

type ReadingSnapshot = SnapshotFrom<typeof vaultReadingMachine>;

export const selectIsTextFetching = (snapshot: ReadingSnapshot): boolean => snapshot.hasTag("fetching");
/** Why the text can't be read; null if it can. */
export const selectTextFailure = (snapshot: ReadingSnapshot): string | null =>
  snapshot.hasTag("failed") ? snapshot.context.failure : null;
/** The passage whose field is open; null if none is. */
export const selectEdited = (snapshot: ReadingSnapshot): number | null => snapshot.context.index;
export const selectIsTextSaving = (snapshot: ReadingSnapshot): boolean => snapshot.hasTag("saving");
/** Why the input is not saved; null unless saving failed. */
export const selectSaveFailure = (snapshot: ReadingSnapshot): string | null =>
  snapshot.hasTag("notSaved") ? snapshot.context.failure : null;

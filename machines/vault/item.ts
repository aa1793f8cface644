import { assign, emit, fromPromise, setup } from "xstate";
import type { VaultItem } from "#contract/index.ts";
import { codeOf, type Failed } from "#machines/failure.ts";
import { notProvided } from "#machines/not-provided.ts";
import { withEvent, withOutput } from "#machines/with-event.ts";

export type VaultItemEvent =
  /** The person plays it, or downloads it, decrypted or encrypted. */
  | { type: "play.requested" }
  | { type: "save.requested" }
  | { type: "download.requested" }
  /** The person cancels a long operation, or a deletion. */
  | { type: "cancel.requested" }
  /** The person stops listening: decrypted data is discarded. */
  | { type: "close.requested" }
  /** The person renames it (the name stays outside the machine), deletes it, or confirms the deletion. */
  | { type: "rename.requested" }
  | { type: "remove.requested" }
  | { type: "remove.confirmed" };

/** Emitted to the rest of the page. */
export type VaultItemEmitted = { type: "item.renamed"; item: VaultItem } | { type: "item.removed"; id: string };

interface VaultItemContext {
  id: string;
  /** Why the last operation failed; null when it succeeded. */
  failure: string | null;
}

interface Input {
  id: string;
}

/** The confirmation before its deletion. */
const deletion = {
  initial: "resting",
  states: {
    resting: { on: { "remove.requested": "asking" } },
    asking: {
      tags: "asking",
      on: { "remove.confirmed": { target: "#vaultItem.removing", actions: "clearFailure" }, "cancel.requested": "resting" },
    },
  },
} as const;

/**
 * One recording in the vault, and the operations on it. While it is open, its decrypted data is outside the machine.
 */
export const vaultItemMachine = setup({
  types: {
    context: {} as VaultItemContext,
    events: {} as VaultItemEvent,
    input: {} as Input,
    emitted: {} as VaultItemEmitted,
    /**
     * No operation runs; its deletion must be confirmed; it is being fetched, with or without decryption; it is being
     * changed.
     */
    tags: {} as "free" | "asking" | "fetching" | "busy",
  },
  actors: {
    /** Fetches and decrypts all of it, so that nothing tampered is played. Progress bypasses the machine. */
    open: fromPromise<void, Input>(async () => notProvided("open")),
    /** Fetches it without decryption, and saves it as a file. */
    download: fromPromise<void, Input>(async () => notProvided("download")),
    rename: fromPromise<VaultItem, Input>(async () => notProvided("rename")),
    remove: fromPromise<void, Input>(async () => notProvided("remove")),
  },
  actions: {
    /** Saves the decrypted audio as a file. */
    handOver: () => notProvided("handOver"),
    /** Discards all decrypted data. */
    release: () => notProvided("release"),
    rememberFailure: assign({ failure: (_, { error }: Failed) => codeOf(error) }),
    clearFailure: assign({ failure: null }),
    emitRenamed: emit((_, item: VaultItem): VaultItemEmitted => ({ type: "item.renamed", item })),
    emitRemoved: emit(({ context }): VaultItemEmitted => ({ type: "item.removed", id: context.id })),
  },
}).createMachine({
  id: "vaultItem",
  context: ({ input }) => ({ id: input.id, failure: null }),
  initial: "closed",
  states: {
    closed: {
      ...deletion,
      tags: "free",
      on: {
        "play.requested": { target: "opening", actions: "clearFailure" },
        "save.requested": { target: "saving", actions: "clearFailure" },
        "download.requested": { target: "downloading", actions: "clearFailure" },
        "rename.requested": { target: "renaming", actions: "clearFailure" },
      },
    },
    opening: {
      tags: "fetching",
      on: { "cancel.requested": "closed" },
      invoke: {
        src: "open",
        input: ({ context }) => ({ id: context.id }),
        onDone: "open",
        onError: { target: "closed", actions: withEvent("rememberFailure") },
      },
    },
    open: {
      ...deletion,
      tags: "free",
      exit: "release",
      on: {
        "close.requested": "closed",
        "save.requested": { actions: "handOver" },
        "download.requested": { target: "downloading", actions: "clearFailure" },
        "rename.requested": { target: "renaming", actions: "clearFailure" },
      },
    },
    saving: {
      tags: "fetching",
      on: { "cancel.requested": "closed" },
      invoke: {
        src: "open",
        id: "save",
        input: ({ context }) => ({ id: context.id }),
        onDone: { target: "closed", actions: ["handOver", "release"] },
        onError: { target: "closed", actions: withEvent("rememberFailure") },
      },
    },
    downloading: {
      tags: "fetching",
      on: { "cancel.requested": "closed" },
      invoke: {
        src: "download",
        input: ({ context }) => ({ id: context.id }),
        onDone: "closed",
        onError: { target: "closed", actions: withEvent("rememberFailure") },
      },
    },
    renaming: {
      tags: "busy",
      invoke: {
        src: "rename",
        input: ({ context }) => ({ id: context.id }),
        onDone: { target: "closed", actions: withOutput("emitRenamed") },
        onError: { target: "closed", actions: withEvent("rememberFailure") },
      },
    },
    removing: {
      tags: "busy",
      invoke: {
        src: "remove",
        input: ({ context }) => ({ id: context.id }),
        onDone: { target: "removed", actions: "emitRemoved" },
        onError: { target: "closed", actions: withEvent("rememberFailure") },
      },
    },
    removed: { type: "final" },
  },
});

type ItemSnapshot = ReturnType<typeof vaultItemMachine.getInitialSnapshot>;

/** Whether it is being fetched, with or without decryption: progress is shown. */
export const selectIsFetching = (snapshot: ItemSnapshot): boolean => snapshot.hasTag("fetching");
export const selectItemIsOpen = (snapshot: ItemSnapshot): boolean => snapshot.matches("open");
export const selectItemIsBusy = (snapshot: ItemSnapshot): boolean => snapshot.hasTag("busy");
/** Whether no other operation on it runs. */
export const selectItemIsFree = (snapshot: ItemSnapshot): boolean => snapshot.hasTag("free");
/** Whether its deletion must be confirmed. */
export const selectItemIsAsked = (snapshot: ItemSnapshot): boolean => snapshot.hasTag("asking");
export const selectItemFailure = (snapshot: ItemSnapshot): string | null => snapshot.context.failure;

import { assign, emit, fromPromise, setup } from "xstate";
import type { VaultItem } from "#contract/index.ts";
import { codeOf, type Failed } from "#machines/failure.ts";
import { notProvided } from "#machines/not-provided.ts";
import { withEvent, withOutput } from "#machines/with-event.ts";

export type VaultItemEvent =
  /** The person plays it, or downloads it, decrypted or as it is. */
  | { type: "play.requested" }
  | { type: "save.requested" }
  | { type: "download.requested" }
  /** The person calls off what takes long, or keeps what was to be deleted. */
  | { type: "cancel.requested" }
  /** The person stops listening: decrypted data is discarded. */
  | { type: "close.requested" }
  /** The person renames it (the name is outside of the machine); deletes it, and confirms that. */
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

/** The question before its deletion, whether it is open or not. */
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

/** One recording in the vault, and the operations on it. Decrypted data is outside of the machine, for as long as it is open. */
export const vaultItemMachine = setup({
  types: {
    context: {} as VaultItemContext,
    events: {} as VaultItemEvent,
    input: {} as Input,
    emitted: {} as VaultItemEmitted,
    /** No operation on it is under way; its deletion is to be confirmed; it is fetched, with or without decrypting; it is changed. */
    tags: {} as "free" | "asking" | "fetching" | "busy",
  },
  actors: {
    /** Fetches and decrypts all of it: nothing tampered with is played. Progress bypasses the machine. */
    open: fromPromise<void, Input>(async () => notProvided("open")),
    /** Fetches it as it is, and saves it as a file. */
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

/** Fetching, with or without decrypting: progress is shown. */
export const selectIsFetching = (snapshot: ItemSnapshot): boolean => snapshot.hasTag("fetching");
export const selectItemIsOpen = (snapshot: ItemSnapshot): boolean => snapshot.matches("open");
export const selectItemIsBusy = (snapshot: ItemSnapshot): boolean => snapshot.hasTag("busy");
/** No other operation on it is under way. */
export const selectItemIsFree = (snapshot: ItemSnapshot): boolean => snapshot.hasTag("free");
/** Its deletion is to be confirmed. */
export const selectItemIsAsked = (snapshot: ItemSnapshot): boolean => snapshot.hasTag("asking");
export const selectItemFailure = (snapshot: ItemSnapshot): string | null => snapshot.context.failure;

import { assign, fromCallback, fromPromise, type SnapshotFrom, setup, stateIn } from "xstate";
import { notProvided } from "#machines/not-provided.ts";
import { withEvent } from "#machines/with-event.ts";

export type VaultSearchEvent =
  /** The person types. The words themselves are outside the machine. */
  | { type: "query.changed"; isBlank: boolean }
  /** The person stops reading the texts, or resumes. */
  | { type: "cancel.requested" }
  | { type: "retry.requested" }
  /** From the actor `readTexts`: more texts can be searched; all can; or why it stopped. */
  | { type: "texts.came" }
  | { type: "texts.read" }
  | { type: "reading.failed"; code: string }
  /** A text was added or removed. */
  | { type: "texts.changed" }
  | { type: "vault.locked" };

interface VaultSearchContext {
  /** Why the texts could not be read. */
  failure: string | null;
}

/**
 * The search in all texts of the unlocked vault. The first search fetches and decrypts them in the background. The
 * texts, the query and the hits are outside the machine.
 */
export const vaultSearchMachine = setup({
  types: {
    context: {} as VaultSearchContext,
    events: {} as VaultSearchEvent,
    tags: {} as "reading" | "stopped" | "searching" | "found",
  },
  actors: {
    /** Fetches and decrypts the missing texts, a few at once. */
    readTexts: fromCallback<VaultSearchEvent>(() => notProvided("readTexts")),
    /** Searches the available texts in slices, so that the page stays responsive. */
    search: fromPromise<void>(async () => notProvided("search")),
  },
  actions: {
    clearHits: () => notProvided("clearHits"),
    /** Discards the texts and the hits. */
    clearTexts: () => notProvided("clearTexts"),
    rememberFailure: assign({ failure: (_, { code }: { code: string }) => code }),
    clearFailure: assign({ failure: null }),
  },
  guards: {
    isBlank: (_, { isBlank }: { isBlank: boolean }) => isBlank,
    isNothingAsked: stateIn({ hits: "idle" }),
  },
  delays: { typingPause: 200 },
}).createMachine({
  id: "vaultSearch",
  context: { failure: null },
  type: "parallel",
  on: { "vault.locked": { target: [".texts.unread", ".hits.idle"], actions: ["clearTexts", "clearHits"] } },
  states: {
    texts: {
      initial: "unread",
      states: {
        unread: { on: { "query.changed": [{ guard: withEvent("isBlank") }, { target: "reading" }] } },
        reading: {
          tags: "reading",
          entry: "clearFailure",
          invoke: { src: "readTexts" },
          on: {
            "texts.read": "read",
            "reading.failed": { target: "stopped", actions: withEvent("rememberFailure") },
            "texts.changed": { target: "reading", reenter: true },
            "cancel.requested": "stopped",
          },
        },
        stopped: { tags: "stopped", on: { "retry.requested": "reading" } },
        read: {
          on: { "texts.changed": [{ guard: "isNothingAsked", target: "unread" }, { target: "reading" }] },
        },
      },
    },
    hits: {
      initial: "idle",
      on: {
        "query.changed": [{ guard: withEvent("isBlank"), target: ".idle", actions: "clearHits" }, { target: ".typing" }],
      },
      states: {
        idle: {},
        typing: { tags: "searching", after: { typingPause: "searching" } },
        searching: {
          tags: "searching",
          invoke: { src: "search", onDone: "found" },
          // The other texts are searched when they arrive.
          on: { "texts.read": { target: "searching", reenter: true } },
        },
        found: { tags: "found", on: { "texts.came": "searching", "texts.read": "searching" } },
      },
    },
  },
});

type SearchSnapshot = SnapshotFrom<typeof vaultSearchMachine>;

/** Whether texts are being fetched and decrypted. */
export const selectIsReadingTexts = (snapshot: SearchSnapshot): boolean => snapshot.hasTag("reading");
/** Whether reading stopped before all texts were searched, because the person stopped it or it failed. */
export const selectIsStopped = (snapshot: SearchSnapshot): boolean => snapshot.hasTag("stopped");
/** Why reading the texts failed; null if it did not. */
export const selectReadingFailure = (snapshot: SearchSnapshot): string | null => snapshot.context.failure;
export const selectIsSearchingTexts = (snapshot: SearchSnapshot): boolean => snapshot.hasTag("searching");
/** Whether the search in the texts so far is complete. */
export const selectIsTextFound = (snapshot: SearchSnapshot): boolean => snapshot.hasTag("found");

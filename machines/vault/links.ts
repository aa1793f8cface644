import { assertEvent, assign, emit, fromPromise, type SnapshotFrom, setup } from "xstate";
import { passwordFlaw, type VaultLink } from "#contract/index.ts";
import { copyActors, type ShownOnceEvent, type ShownOnceTag, shownOnce } from "#machines/collection/shown-once.ts";
import { codeOf, isGone } from "#machines/failure.ts";
import { notProvided } from "#machines/not-provided.ts";
import { present } from "#machines/present.ts";

/** What a new link is to show, to whom and until when. The passphrase goes no further than the call that makes the link. */
export interface WantedLink {
  audio: boolean;
  text: boolean;
  /** ISO 8601; null: until it is revoked. */
  expiresAt: string | null;
  passphrase: string | null;
}

export type VaultLinksEvent =
  /** The person wants a new link: its form opens, is sent, or is given up. */
  | { type: "creation.requested" }
  | { type: "creation.submitted"; draft: WantedLink }
  | { type: "creation.dismissed" }
  /** The new link's address is shown. */
  | ShownOnceEvent
  | { type: "removal.requested"; id: string }
  /** The person confirms that the link is revoked, or does not. */
  | { type: "removal.confirmed" }
  | { type: "removal.dismissed" }
  | { type: "reload.requested" };

/** Emitted to the page. */
export type VaultLinksEmitted = { type: "link.revoked" };

interface VaultLinksInput {
  /** Epoch milliseconds. */
  now: () => number;
}

interface VaultLinksContext extends VaultLinksInput {
  /** As the server has them, newest first. */
  links: readonly VaultLink[];
  /** The id of the one that is to be revoked. */
  subject: string | null;
  /** Why the last change, or loading, failed: an error code, one of the vault's problems, or a flaw of the form; null unless it did. */
  failure: string | null;
}

interface Failed {
  error: unknown;
}

const flaws = { short: "shortPassphrase", long: "longPassphrase", blank: "blankPassphrase" } as const;

/** What is wrong with what a link is to be; null for nothing. @param now epoch ms: the server judges by its own clock */
export function linkFlaw({ audio, text, expiresAt, passphrase }: WantedLink, now: number): string | null {
  if (!audio && !text) return "showsNothing";
  const flaw = passphrase === null ? undefined : passwordFlaw(passphrase);
  if (flaw !== undefined) return flaws[flaw];
  return expiresAt !== null && Date.parse(expiresAt) <= now ? "pastEnd" : null;
}

/**
 * The links to one recording in the vault, for its owner: made with the address shown once, listed with their views, revoked after a
 * question. What opens them is kept in no machine.
 */
export const vaultLinksMachine = setup({
  types: {
    input: {} as VaultLinksInput,
    context: {} as VaultLinksContext,
    events: {} as VaultLinksEvent,
    emitted: {} as VaultLinksEmitted,
    /** The form of a new link is open. */
    tags: {} as "writing" | ShownOnceTag,
  },
  actors: {
    ...copyActors,
    load: fromPromise<readonly VaultLink[]>(async () => notProvided("load")),
    /** Seals what the link shows, and makes the link; its address is kept beside the machine. Rejects with `locked`, among others. */
    create: fromPromise<VaultLink, WantedLink>(async () => notProvided("create")),
    /** Rejects with the code `notFound` for one that was revoked elsewhere. */
    revoke: fromPromise<void, { id: string }>(async () => notProvided("revoke")),
  },
  actions: {
    /** The new address is shown no more. */
    dropAddress: () => notProvided("dropAddress"),
    keep: assign({ links: (_, { output }: { output: readonly VaultLink[] }) => output }),
    add: assign({ links: ({ context }, { output }: { output: VaultLink }) => [output, ...context.links] }),
    remove: assign({ links: ({ context }) => context.links.filter(({ id }) => id !== context.subject) }),
    keepSubject: assign((_, { id }: { id: string }) => ({ subject: id, failure: null })),
    dropSubject: assign({ subject: null }),
    keepFailure: assign({ failure: (_, { error }: Failed) => codeOf(error) }),
    keepFlaw: assign({ failure: ({ context }, { draft }: { draft: WantedLink }) => linkFlaw(draft, context.now()) }),
    clearFailure: assign({ failure: null }),
    emitRevoked: emit({ type: "link.revoked" }),
  },
  guards: {
    isFlawed: ({ context }, { draft }: { draft: WantedLink }) => linkFlaw(draft, context.now()) !== null,
    isGone: (_, { error }: Failed) => isGone(error),
  },
}).createMachine({
  id: "vaultLinks",
  context: ({ input }) => ({ ...input, links: [], subject: null, failure: null }),
  initial: "loading",
  states: {
    loading: {
      invoke: {
        src: "load",
        onDone: { target: "idle", actions: { type: "keep", params: ({ event }) => event } },
        onError: { target: "failed", actions: { type: "keepFailure", params: ({ event }) => event } },
      },
    },
    failed: { on: { "reload.requested": { target: "loading", actions: "clearFailure" } } },
    idle: {
      on: {
        "creation.requested": { target: "writing", actions: "clearFailure" },
        "removal.requested": { target: "asking", actions: { type: "keepSubject", params: ({ event }) => event } },
      },
    },
    writing: {
      tags: "writing",
      on: {
        "creation.submitted": [
          {
            guard: { type: "isFlawed", params: ({ event }) => event },
            actions: { type: "keepFlaw", params: ({ event }) => event },
          },
          { target: "creating", actions: "clearFailure" },
        ],
        "creation.dismissed": { target: "idle", actions: "clearFailure" },
      },
    },
    creating: {
      tags: "writing",
      invoke: {
        src: "create",
        input: ({ event }) => {
          assertEvent(event, "creation.submitted");
          return event.draft;
        },
        onDone: { target: "created", actions: { type: "add", params: ({ event }) => event } },
        onError: { target: "writing", actions: { type: "keepFailure", params: ({ event }) => event } },
      },
    },
    /** Its address is shown, this once. */
    created: { ...shownOnce, exit: "dropAddress", on: { "copy.requested": ".copying", "secret.dismissed": "idle" } },
    asking: {
      on: { "removal.confirmed": "revoking", "removal.dismissed": { target: "idle", actions: "dropSubject" } },
    },
    revoking: {
      invoke: {
        src: "revoke",
        input: ({ context }) => ({ id: present(context.subject, "the link's id") }),
        onDone: { target: "idle", actions: ["remove", "dropSubject", "emitRevoked"] },
        onError: [
          {
            // Revoked elsewhere: it is gone all the same.
            guard: { type: "isGone", params: ({ event }) => event },
            target: "idle",
            actions: ["remove", "dropSubject", "emitRevoked"],
          },
          { target: "idle", actions: [{ type: "keepFailure", params: ({ event }) => event }, "dropSubject"] },
        ],
      },
    },
  },
});

type Snapshot = SnapshotFrom<typeof vaultLinksMachine>;

export const selectIsLoadingLinks = (snapshot: Snapshot): boolean => snapshot.matches("loading");
/** They could not be loaded. */
export const selectHasLinksFailed = (snapshot: Snapshot): boolean => snapshot.matches("failed");
/** Newest first. */
export const selectVaultLinks = (snapshot: Snapshot): readonly VaultLink[] => snapshot.context.links;
export const selectIsWritingLink = (snapshot: Snapshot): boolean => snapshot.hasTag("writing");
export const selectIsMakingLink = (snapshot: Snapshot): boolean => snapshot.matches("creating");
/** A new link's address is to be kept now. */
export const selectIsLinkMade = (snapshot: Snapshot): boolean => snapshot.matches("created");
/** A revocation waits for a yes. */
export const selectIsAskingLink = (snapshot: Snapshot): boolean => snapshot.matches("asking");
/** The id of the link that is being revoked; null for none. */
export const selectRevokingLink = (snapshot: Snapshot): string | null =>
  snapshot.matches("revoking") ? snapshot.context.subject : null;
export const selectLinksFailure = (snapshot: Snapshot): string | null => snapshot.context.failure;

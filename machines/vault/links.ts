import { type SnapshotFrom, setup } from "xstate";
import type { VaultLink } from "#contract/index.ts";
import { createCollection, emptyCollection } from "#machines/collection/collection.ts";
import type { CollectionContext, CollectionEvent, Listed } from "#machines/collection/events.ts";
import { notProvided } from "#machines/not-provided.ts";
import { flawOf } from "#machines/sharing/rules.ts";

/** What a new link is to show, to whom and until when. The passphrase goes no further than the call that makes the link. */
export interface WantedLink {
  audio: boolean;
  text: boolean;
  /** ISO 8601; null: until it is revoked. */
  expiresAt: string | null;
  passphrase: string | null;
}

export interface VaultLinkTypes {
  known: Listed<VaultLink>;
  draft: WantedLink;
  change: never;
  /** The address of a new link is in no machine: the key in it opens the recording. */
  secret: null;
}

interface VaultLinksInput {
  /** Epoch milliseconds. */
  now: () => number;
}
interface VaultLinksContext extends VaultLinksInput, CollectionContext<VaultLinkTypes> {}
type VaultLinksEvent = CollectionEvent<VaultLinkTypes>;

/** What is wrong with what a link is to be; null for nothing. @param now epoch ms: the server judges by its own clock */
export const linkFlaw = (draft: WantedLink, now: number): string | null =>
  draft.audio || draft.text ? flawOf(draft, now) : "showsNothing";

const collection = createCollection<VaultLinkTypes, VaultLinksContext, VaultLinksEvent>({
  order: "newestFirst",
  flawOf: (draft, { now }) => linkFlaw(draft, now()),
});

/**
 * The links to one recording in the vault, for its owner: made with the address shown once, listed with their views, revoked after a
 * question. What opens them is kept in no machine.
 */
export const vaultLinksMachine = setup({
  ...collection.parts,
  types: { ...collection.types, input: {} as VaultLinksInput },
  actions: {
    ...collection.actions,
    /** The new address is shown no more. */
    dropAddress: () => notProvided("dropAddress"),
  },
}).createMachine({
  id: "vaultLinks",
  context: ({ input }) => ({ ...emptyCollection, ...input }),
  initial: "loading",
  states: {
    ...collection.loading,
    open: {
      initial: "idle",
      states: {
        idle: {
          ...collection.idle,
          on: { "creation.requested": collection.toWriting, "removal.requested": collection.toAsking },
        },
        ...collection.creationWithSecret,
        created: { ...collection.creationWithSecret.created, exit: "dropAddress" },
        ...collection.removal,
      },
    },
  },
});

/** A new link's address is to be kept now. */
export const selectIsLinkMade = (snapshot: SnapshotFrom<typeof vaultLinksMachine>): boolean =>
  snapshot.matches({ open: "created" });

import { type SnapshotFrom, setup } from "xstate";
import type { VaultLink } from "#contract/index.ts";
import { createCollection, emptyCollection } from "#machines/collection/collection.ts";
import type { CollectionContext, CollectionEvent, Listed } from "#machines/collection/events.ts";
import { notProvided } from "#machines/not-provided.ts";
import { flawOf } from "#machines/sharing/rules.ts";

/**
 * The content, passphrase and expiry of a new link. The passphrase is stored only in the call that creates the link.
 */
export interface WantedLink {
  audio: boolean;
  text: boolean;
  /** ISO 8601; null: valid until it is revoked. */
  expiresAt: string | null;
  passphrase: string | null;
}

export interface VaultLinkTypes {
  known: Listed<VaultLink>;
  draft: WantedLink;
  change: never;
  /** The address of a new link is in no machine, because the key in it opens the recording. */
  secret: null;
}

interface VaultLinksInput {
  /** The current time in epoch ms. */
  now: () => number;
}
interface VaultLinksContext extends VaultLinksInput, CollectionContext<VaultLinkTypes> {}
type VaultLinksEvent = CollectionEvent<VaultLinkTypes>;

/**
 * The flaw of a new link; null if it has none.
 * @param now epoch ms; the server checks with its own clock
 */
export const linkFlaw = (draft: WantedLink, now: number): string | null =>
  draft.audio || draft.text ? flawOf(draft, now) : "showsNothing";

const collection = createCollection<VaultLinkTypes, VaultLinksContext, VaultLinksEvent>({
  order: "newestFirst",
  flawOf: (draft, { now }) => linkFlaw(draft, now()),
});

/**
 * The links to one recording in the vault, for its owner: created with an address that is shown once, listed with their
 * views, revoked after a confirmation. No machine stores the keys.
 */
export const vaultLinksMachine = setup({
  ...collection.parts,
  types: { ...collection.types, input: {} as VaultLinksInput },
  actions: {
    ...collection.actions,
    /** Hides the new address. */
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

/** Whether a new link was just created and its address must be copied now. */
export const selectIsLinkMade = (snapshot: SnapshotFrom<typeof vaultLinksMachine>): boolean =>
  snapshot.matches({ open: "created" });

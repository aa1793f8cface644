import { assign, type SnapshotFrom, setup } from "xstate";
import type { NewPerson, PersonChange, SharedPerson } from "#contract/index.ts";
import { createCollection, emptyCollection } from "#machines/collection/collection.ts";
import type { CollectionContext, CollectionEvent, Listed } from "#machines/collection/events.ts";
import { selectFailure } from "#machines/collection/loading.ts";
import { withEvent, withOutput } from "#machines/with-event.ts";

/** The types of the list of people with access to a transcript. */
export interface PeopleTypes {
  known: Listed<SharedPerson>;
  draft: NewPerson;
  change: PersonChange;
  secret: null;
}
type PeopleEvent = CollectionEvent<PeopleTypes>;

interface PeopleContext extends CollectionContext<PeopleTypes> {
  /** How many people were invited since the panel was opened. */
  offers: number;
}

const collection = createCollection<PeopleTypes, PeopleContext, PeopleEvent>();
const { creating } = collection.creation;

/**
 * The people with access to a transcript, for its owner: invited by address, given other roles, and removed after a
 * confirmation.
 */
export const peopleMachine = setup({
  ...collection.parts,
  actions: {
    ...collection.actions,
    countOffer: assign({ offers: ({ context }) => context.offers + 1 }),
  },
}).createMachine({
  id: "people",
  context: { ...emptyCollection, offers: 0 },
  initial: "loading",
  states: {
    ...collection.loading,
    open: {
      initial: "idle",
      states: {
        idle: {
          ...collection.idle,
          on: {
            // The form is always open.
            "creation.submitted": { target: "creating", actions: withEvent("assignDraft") },
            "change.requested": collection.toChanging,
            "removal.requested": collection.toAsking,
          },
        },
        creating: {
          tags: creating.tags,
          invoke: {
            src: "create",
            input: creating.invoke.input,
            onDone: { target: "idle", actions: [withOutput("assignCreated"), "countOffer", "emitCreated"] },
            /** A draft that remains says that the invitation failed. */
            onError: { target: "idle", actions: withEvent("assignFailure") },
          },
        },
        ...collection.change,
        ...collection.removal,
      },
    },
  },
});

type Snapshot = SnapshotFrom<typeof peopleMachine>;

/** How many people were invited since the panel was opened. The form is cleared after each. */
export const selectOffers = (snapshot: Snapshot): number => snapshot.context.offers;
/** Why the last invitation failed: an error code of the contract; null if it succeeded. */
export const selectOfferFailure = (snapshot: Snapshot): string | null =>
  snapshot.context.draft === null ? null : selectFailure(snapshot);
/** Why the last other change failed. */
export const selectChangeFailure = (snapshot: Snapshot): string | null =>
  snapshot.context.draft === null ? selectFailure(snapshot) : null;

import { assign, type SnapshotFrom, setup } from "xstate";
import type { NewPerson, PersonChange, SharedPerson } from "#contract/index.ts";
import { createCollection, emptyCollection } from "#machines/collection/collection.ts";
import type { CollectionContext, CollectionEvent, Listed } from "#machines/collection/events.ts";
import { selectFailure } from "#machines/collection/loading.ts";
import { withEvent, withOutput } from "#machines/with-event.ts";

/** What the people are made of with whom a transcript is shared. */
export interface PeopleTypes {
  known: Listed<SharedPerson>;
  draft: NewPerson;
  change: PersonChange;
  secret: null;
}
type PeopleEvent = CollectionEvent<PeopleTypes>;

interface PeopleContext extends CollectionContext<PeopleTypes> {
  /** To how many it was offered since the panel was opened. */
  offers: number;
}

const collection = createCollection<PeopleTypes, PeopleContext, PeopleEvent>();
const { creating } = collection.creation;

/** With whom a transcript is shared, for its owner: offered to an address, their roles changed, taken away after a question. */
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
            // The form is open all the time.
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
            /** The draft says that it is the offer that has failed. */
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

/** To how many it was offered since the panel was opened: the form is empty again with each. */
export const selectOffers = (snapshot: Snapshot): number => snapshot.context.offers;
/** Why it could not be offered: an error code of the contract; null unless that failed last. */
export const selectOfferFailure = (snapshot: Snapshot): string | null =>
  snapshot.context.draft === null ? null : selectFailure(snapshot);
/** Why the last other change failed. */
export const selectChangeFailure = (snapshot: Snapshot): string | null =>
  snapshot.context.draft === null ? selectFailure(snapshot) : null;

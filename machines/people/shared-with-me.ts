import { fromPromise, setup } from "xstate";
import type { ReceivedShare } from "#contract/index.ts";
import { createCollection, emptyCollection } from "#machines/collection/collection.ts";
import type { CollectionContext, CollectionEvent, Listed } from "#machines/collection/events.ts";
import { notProvided } from "#machines/not-provided.ts";
import { present } from "#machines/present.ts";
import { withEvent, withOutput } from "#machines/with-event.ts";

interface ReceivedTypes {
  /** Invitations first. */
  known: Listed<ReceivedShare>;
  draft: never;
  change: never;
  secret: never;
}
type ReceivedContext = CollectionContext<ReceivedTypes>;
type SharedWithMeEvent =
  | CollectionEvent<ReceivedTypes>
  /** The person accepts an invitation. A removal declines an invitation, or leaves a shared transcript. */
  | { type: "acceptance.requested"; id: string };

const collection = createCollection<ReceivedTypes, ReceivedContext, SharedWithMeEvent>();

/**
 * The transcripts that others share with a person: invitations are accepted or declined, and accepted transcripts are
 * left after a confirmation.
 */
export const sharedWithMeMachine = setup({
  ...collection.parts,
  actors: {
    ...collection.actors,
    /**
     * Rejects with the code `notFound` if access was removed in the meantime. @returns the whole list in its new order
     */
    accept: fromPromise<Listed<ReceivedShare>, { id: string }>(async () => notProvided("accept")),
  },
}).createMachine({
  id: "sharedWithMe",
  context: emptyCollection,
  initial: "loading",
  states: {
    ...collection.loading,
    open: {
      initial: "idle",
      states: {
        idle: {
          ...collection.idle,
          on: {
            "acceptance.requested": { target: "accepting", actions: withEvent("choose") },
            "removal.requested": collection.toAsking,
          },
        },
        accepting: {
          tags: "changing",
          invoke: {
            src: "accept",
            input: ({ context }) => ({ id: present(context.chosen, "the offer's id") }),
            onDone: { target: "idle", actions: [withOutput("assignKnown"), "dropChosen", "countReturn", "emitChanged"] },
            onError: collection.removal.removing.invoke.onError,
          },
        },
        ...collection.removal,
      },
    },
  },
});

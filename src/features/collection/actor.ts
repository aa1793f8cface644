import { type AnyActorRef, fromPromise } from "xstate";

/** The part of an actor with the parts of `machines/collection/` that components need. */
export interface ActorWith<Snapshot, Event> extends Pick<AnyActorRef, "subscribe"> {
  getSnapshot(): Snapshot;
  send(event: Event): void;
}

/** Copies a secret that is shown once. Rejects without https, because there is no clipboard then. */
export const copy = fromPromise<void, { text: string }>(async ({ input }) => navigator.clipboard.writeText(input.text));

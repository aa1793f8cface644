import { type AnyActorRef, fromPromise } from "xstate";

/** An actor with parts of `machines/collection/`, as far as a component needs it. */
export interface ActorWith<Snapshot, Event> extends Pick<AnyActorRef, "subscribe"> {
  getSnapshot(): Snapshot;
  send(event: Event): void;
}

/** Copies what is shown once. Without https there is no clipboard at all. */
export const copy = fromPromise<void, { text: string }>(async ({ input }) => navigator.clipboard.writeText(input.text));

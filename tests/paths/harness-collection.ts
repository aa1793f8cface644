import type { EventObject } from "xstate";
import type { LoadingEvent } from "#machines/collection/loading.ts";
import { answered, failure, refused, said, sent } from "./harness-moves.ts";
import type { Move } from "./harness-run.ts";
import type { Asking, CallbackStub } from "./harness-stubs.ts";

// Moves for every machine with parts of machines/collection/.

interface LoadingHarness<Known> {
  actor: { getSnapshot(): { can(event: LoadingEvent): boolean }; send(event: LoadingEvent): void };
  load: Asking<Known>;
  wakeUps: CallbackStub<LoadingEvent, EventObject>;
}

/**
 * Loading succeeds, fails, and is retried.
 * @param known the server's current data
 */
export const loadingMoves = <H extends LoadingHarness<Known>, Known>(known: (harness: H) => Known): Move<H>[] => [
  sent({ type: "reload.requested" }),
  answered("it is loaded", ({ load }: H) => load, known),
  refused("the server has no such call", ({ load }: H) => load, failure("notOffered")),
  refused("it can't be loaded", ({ load }: H) => load, failure("network")),
  said({ type: "page.resumed" }, ({ wakeUps }: H) => wakeUps),
];

type RemovalEvent = { type: "removal.requested"; id: string } | { type: "removal.confirmed" | "removal.dismissed" };

interface RemovalHarness {
  actor: {
    getSnapshot(): { can(event: RemovalEvent): boolean; tags: ReadonlySet<string> };
    send(event: RemovalEvent): void;
  };
  remove: Asking<void, { id: string }>;
  /** Whether the last removal was confirmed. */
  confirmed: { last: boolean };
}

/**
 * The removal of the item "one".
 * @param removed the server has deleted it
 */
export const removalMoves = <H extends RemovalHarness>(removed: (harness: H) => void): Move<H>[] => [
  {
    ...sent<RemovalEvent>({ type: "removal.requested", id: "one" }),
    happen: ({ actor, confirmed }) => {
      confirmed.last = false;
      actor.send({ type: "removal.requested", id: "one" });
    },
  },
  {
    ...sent<RemovalEvent>({ type: "removal.confirmed" }),
    happen: ({ actor, confirmed }) => {
      confirmed.last = true;
      actor.send({ type: "removal.confirmed" });
    },
  },
  sent<RemovalEvent>({ type: "removal.dismissed" }),
  answered("it is removed", ({ remove }: H) => remove, removed),
  refused("it can't be removed", ({ remove }: H) => remove, failure("network")),
  refused("it was removed elsewhere", ({ remove }: H) => remove, failure("notFound")),
];

export const removalRules = {
  "nothing is removed that was not confirmed": ({ remove, confirmed }: RemovalHarness) =>
    remove.open().length === 0 || confirmed.last,
  "what is asked is not removed yet": ({ actor, remove }: RemovalHarness) =>
    !actor.getSnapshot().tags.has("asking") || remove.open().length === 0,
};

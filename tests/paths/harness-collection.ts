import type { EventObject } from "xstate";
import type { LoadingEvent } from "#machines/collection/loading.ts";
import { answered, failure, refused, said, sent } from "./harness-moves.ts";
import type { Move } from "./harness-run.ts";
import type { Asking, CallbackStub } from "./harness-stage.ts";

// What happens to every machine with parts of machines/collection/.

interface LoadingRig<Known> {
  actor: { getSnapshot(): { can(event: LoadingEvent): boolean }; send(event: LoadingEvent): void };
  load: Asking<Known>;
  wakeUps: CallbackStub<LoadingEvent, EventObject>;
}

/** It is loaded, or is not, and again. @param known what the server has now */
export const loadingMoves = <R extends LoadingRig<Known>, Known>(known: (rig: R) => Known): Move<R>[] => [
  sent({ type: "reload.requested" }),
  answered("it is loaded", ({ load }: R) => load, known),
  refused("the server has no such call", ({ load }: R) => load, failure("notOffered")),
  refused("it can't be loaded", ({ load }: R) => load, failure("network")),
  said({ type: "page.resumed" }, ({ wakeUps }: R) => wakeUps),
];

type RemovalEvent = { type: "removal.requested"; id: string } | { type: "removal.confirmed" | "removal.dismissed" };

interface RemovalRig {
  actor: {
    getSnapshot(): { can(event: RemovalEvent): boolean; tags: ReadonlySet<string> };
    send(event: RemovalEvent): void;
  };
  remove: Asking<void, { id: string }>;
  /** Whether somebody has agreed to the last removal that was asked about. */
  confirmed: { last: boolean };
}

/** The item "one" is to be removed. @param removed it is no longer on the server */
export const removalMoves = <R extends RemovalRig>(removed: (rig: R) => void): Move<R>[] => [
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
  answered("it is removed", ({ remove }: R) => remove, removed),
  refused("it can't be removed", ({ remove }: R) => remove, failure("network")),
  refused("it was removed elsewhere", ({ remove }: R) => remove, failure("notFound")),
];

export const removalRules = {
  "nothing is removed that was not confirmed": ({ remove, confirmed }: RemovalRig) =>
    remove.open().length === 0 || confirmed.last,
  "what is asked is not removed yet": ({ actor, remove }: RemovalRig) =>
    !actor.getSnapshot().tags.has("asking") || remove.open().length === 0,
};

import { type ActorRefFrom, createActor, fromPromise } from "xstate";
import { sharedWithMeMachine } from "#machines/people/shared-with-me.ts";
import { createSharedWithMeApi } from "#src/api/people.ts";
import { inspected } from "#src/browser/inspection.ts";
import { createWakeUps } from "#src/browser/page-events.ts";
import { toast } from "#src/browser/toasts.ts";
import { ownCall } from "#src/features/session/api.ts";
import { perOwner } from "#src/features/session/per-owner.ts";

const api = createSharedWithMeApi(ownCall);

const machine = sharedWithMeMachine.provide({
  actors: {
    load: fromPromise(async ({ signal }) => ({ items: await api.list(signal) })),
    accept: fromPromise(async ({ input, signal }) => ({
      items: await api.accept(input.id, signal),
    })),
    remove: fromPromise(async ({ input, signal }) => void (await api.leave(input.id, signal))),
    wakeUps: createWakeUps(),
  },
});

export type SharedWithMe = ActorRefFrom<typeof machine>;

const opened = perOwner<{ actor: SharedWithMe }>({ end: ({ actor }) => actor.stop() });

function create(): { actor: SharedWithMe } {
  const actor = createActor(machine, inspected());
  actor.on("item.changed", () => toast({ kind: "success", key: "people-shared-with-me:accepted" }));
  actor.on("item.removed", () => toast({ kind: "success", key: "people-shared-with-me:left" }));
  return { actor: actor.start() };
}

/** Transcripts that others share with the signed-in user. Each visit of the page loads them again. */
export const openSharedWithMe = (): { actor: SharedWithMe } => opened.replace(create);
export const closeSharedWithMe = opened.close;

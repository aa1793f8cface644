import { type ActorRefFrom, createActor, fromPromise } from "xstate";
import type { ReceivedShare } from "#contract/index.ts";
import { type SharedWithMeEvent, sharedWithMeMachine } from "#machines/shared-with-me/machine.ts";
import { createSharedWithMeApi } from "#src/api/people.ts";
import { inspected } from "#src/browser/inspection.ts";
import { createWakeUps } from "#src/browser/page-events.ts";
import { toast } from "#src/browser/toasts.ts";
import { ownCall } from "#src/features/session/api.ts";
import { perOwner } from "#src/features/session/per-owner.ts";

const api = createSharedWithMeApi(ownCall);

const machine = sharedWithMeMachine.provide({
  actors: {
    load: fromPromise<readonly ReceivedShare[]>(({ signal }) => api.list(signal)),
    accept: fromPromise<readonly ReceivedShare[], { id: string }>(({ input, signal }) => api.accept(input.id, signal)),
    leave: fromPromise<readonly ReceivedShare[], { id: string }>(({ input, signal }) => api.leave(input.id, signal)),
    wakeUps: createWakeUps<SharedWithMeEvent>(),
  },
});

export type SharedWithMe = ActorRefFrom<typeof machine>;

const opened = perOwner<{ actor: SharedWithMe }>({ end: ({ actor }) => actor.stop() });

function create(): { actor: SharedWithMe } {
  const actor = createActor(machine, inspected());
  actor.on("share.accepted", () => toast({ kind: "success", key: "shared-with-me:accepted" }));
  actor.on("share.left", () => toast({ kind: "success", key: "shared-with-me:left" }));
  return { actor: actor.start() };
}

/** What others share with whoever is signed in: asked anew each time that the page is entered. */
export const openSharedWithMe = (): { actor: SharedWithMe } => opened.replace(create);
export const closeSharedWithMe = opened.close;

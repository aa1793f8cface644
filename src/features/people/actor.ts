import { type ActorRefFrom, createActor, fromPromise } from "xstate";
import { peopleMachine } from "#machines/people/machine.ts";
import { createPeopleApi } from "#src/api/people.ts";
import { inspected } from "#src/browser/inspection.ts";
import { createWakeUps } from "#src/browser/page-events.ts";
import { toast } from "#src/browser/toasts.ts";
import { ownCall } from "#src/features/session/api.ts";
import { perRecord } from "#src/features/session/per-owner.ts";

const api = createPeopleApi(ownCall);

export type People = ActorRefFrom<typeof peopleMachine>;

function create(transcription: string): People {
  const machine = peopleMachine.provide({
    actors: {
      load: fromPromise(async ({ signal }) => ({ items: await api.list(transcription, signal) })),
      create: fromPromise(async ({ input, signal }) => ({
        item: await api.offer(transcription, input.draft, signal),
        secret: null,
      })),
      change: fromPromise(({ input: { id, change }, signal }) => api.change(transcription, id, change.role, signal)),
      remove: fromPromise(({ input, signal }) => api.withdraw(transcription, input.id, signal)),
      wakeUps: createWakeUps(),
    },
  });
  const actor = createActor(machine, inspected());
  actor.on("item.created", () => toast({ kind: "success", key: "people:offered" }));
  actor.on("item.changed", () => toast({ kind: "success", key: "toast.saved" }));
  actor.on("item.removed", () => toast({ kind: "success", key: "people:withdrawn" }));
  return actor.start();
}

/** The people with whom the open page's transcript is shared. */
export const openPeople = perRecord(create, (people) => people.stop());

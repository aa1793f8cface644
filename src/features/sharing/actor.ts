import { type ActorRefFrom, createActor, fromPromise } from "xstate";
import type { CreatedSharedLink, NewSharedLink, SharedLink, SharedLinkChange } from "#contract/index.ts";
import type { SharingEvent } from "#machines/sharing/events.ts";
import { sharingMachine } from "#machines/sharing/machine.ts";
import { createSharingApi } from "#src/api/sharing.ts";
import { inspected } from "#src/browser/inspection.ts";
import { createWakeUps } from "#src/browser/page-events.ts";
import { toast } from "#src/browser/toasts.ts";
import { ownCall } from "#src/features/session/api.ts";
import { perOwner } from "#src/features/session/per-owner.ts";

const api = createSharingApi(ownCall);

export type Sharing = ActorRefFrom<typeof sharingMachine>;

interface OpenSharing {
  /** Of the transcription. */
  id: string;
  actor: Sharing;
}

const opened = perOwner<OpenSharing>({ end: ({ actor }) => actor.stop() });

function create(transcription: string): OpenSharing {
  const machine = sharingMachine.provide({
    actors: {
      load: fromPromise<readonly SharedLink[]>(({ signal }) => api.list(transcription, signal)),
      create: fromPromise<CreatedSharedLink, NewSharedLink>(({ input, signal }) => api.create(transcription, input, signal)),
      save: fromPromise<SharedLink, { id: string; change: SharedLinkChange }>(({ input: { id, change }, signal }) =>
        api.change(transcription, id, change, signal),
      ),
      revoke: fromPromise<void, { id: string }>(({ input, signal }) => api.revoke(transcription, input.id, signal)),
      wakeUps: createWakeUps<SharingEvent>(),
    },
  });
  const actor = createActor(machine, { ...inspected(), input: { now: Date.now } });
  actor.on("link.changed", () => toast({ kind: "success", key: "toast.saved" }));
  actor.on("link.revoked", () => toast({ kind: "success", key: "sharing:revoked" }));
  return { id: transcription, actor: actor.start() };
}

/**
 * The links to the transcript whose page is open: the same however often they are shown there, so that an address that was not copied yet
 * is still there.
 * @param onLeave is given what is to be called when the page is left
 */
export function openSharing(id: string, onLeave: (left: () => void) => void): Sharing {
  const known = opened.mine();
  if (known?.id === id) return known.actor;
  onLeave(opened.close);
  return opened.replace(() => create(id)).actor;
}

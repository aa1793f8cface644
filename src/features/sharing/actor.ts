import { type ActorRefFrom, createActor, fromPromise } from "xstate";
import { sharedAddress } from "#contract/index.ts";
import type { SharingOutcome, SharingRequest } from "#machines/sharing/events.ts";
import { sharingMachine } from "#machines/sharing/machine.ts";
import { createSharingApi } from "#src/api/sharing.ts";
import { copyComing } from "#src/browser/clipboard.ts";
import { inspected } from "#src/browser/inspection.ts";
import { createWakeUps } from "#src/browser/page-events.ts";
import { toast } from "#src/browser/toasts.ts";
import { ownCall } from "#src/features/session/api.ts";
import { perRecord } from "#src/features/session/per-owner.ts";

const api = createSharingApi(ownCall);

export type Sharing = ActorRefFrom<typeof sharingMachine>;

const addressOf = (link: { id: string; secret: string }): string => `${location.origin}/shared#${sharedAddress(link)}`;

/** @returns null once the address is copied; the address if the browser does not allow copying */
async function copy(address: Promise<string>): Promise<string | null> {
  const isCopied = await copyComing(address);
  const coming = await address;
  return isCopied ? null : coming;
}

async function perform(transcription: string, request: SharingRequest, signal: AbortSignal): Promise<SharingOutcome> {
  switch (request.kind) {
    case "create": {
      const making = api.create(transcription, request.draft, signal);
      const uncopied = await copy(making.then(addressOf));
      const { secret: _, ...link } = await making;
      return { kind: "created", link, uncopied };
    }
    case "copy": {
      const asking = api.secret(transcription, request.id, signal);
      return { kind: "copied", uncopied: await copy(asking.then((secret) => addressOf({ id: request.id, secret }))) };
    }
    case "revoke":
      await api.revoke(transcription, request.id, signal);
      return { kind: "revoked" };
    default:
      return { kind: "saved", link: await api.change(transcription, request.id, request.change, signal) };
  }
}

function create(transcription: string): Sharing {
  const machine = sharingMachine.provide({
    actors: {
      load: fromPromise(async ({ signal }) => ({ items: await api.list(transcription, signal) })),
      perform: fromPromise(({ input, signal }) => perform(transcription, input, signal)),
      wakeUps: createWakeUps(),
    },
  });
  const actor = createActor(machine, { ...inspected(), input: { now: Date.now } });
  actor.on("link.copied", () => toast({ kind: "success", key: "sharing:copied" }));
  actor.on("details.saved", () => toast({ kind: "success", key: "toast.saved" }));
  actor.on("link.revoked", () => toast({ kind: "success", key: "sharing:revoked" }));
  return actor.start();
}

/**
 * The links to the open page's transcript. The same actor until the page is left, so that an address that could not be
 * copied stays visible.
 */
export const openSharing = perRecord(create, (sharing) => sharing.stop());

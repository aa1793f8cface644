import { type CallbackActorRef, createActor, fromCallback } from "xstate";
import type { InstallationEmitted } from "#machines/models/installation.ts";

/** Small models don't wait behind a big one: so many of them at once. */
const smallAtOnce = 2;

/**
 * Gives slots to installations: one large one at a time, and a few small ones beside it, in order of request.
 * @param give tells an installation that it has its slot
 */
export function openInstallQueue(isBig: (id: string) => boolean, give: (id: string) => void): UploadSlots {
  let waiting: string[] = [];
  const working = new Set<string>();

  const giveNext = () => {
    for (const id of [...waiting]) {
      const alike = [...working].filter((other) => isBig(other) === isBig(id)).length;
      if (alike >= (isBig(id) ? 1 : smallAtOnce)) continue;
      waiting = waiting.filter((other) => other !== id);
      working.add(id);
      give(id);
    }
  };
  const logic = fromCallback<InstallationEmitted>(({ receive }) => {
    receive(({ type, id }) => {
      waiting = waiting.filter((other) => other !== id);
      working.delete(id);
      if (type === "slot.requested") waiting.push(id);
      giveNext();
    });
  });
  const actor = createActor(logic).start();
  return { actor, close: () => actor.stop() };
}

export interface UploadSlots {
  /** Hears what installations want. */
  actor: CallbackActorRef<InstallationEmitted>;
  close(): void;
}

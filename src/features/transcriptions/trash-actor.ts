import { type ActorRefFrom, createActor, fromPromise } from "xstate";
import { type TrashEmitted, type TrashOutcome, type TrashWish, trashMachine } from "#machines/transcriptions/trash.ts";
import type { BatchResult } from "#src/api/transcriptions.ts";
import { inspected } from "#src/browser/inspection.ts";
import { toast } from "#src/browser/toasts.ts";
import { trashApi } from "#src/features/session/api-resources.ts";
import { perOwner } from "#src/features/session/per-owner.ts";
import { openedTranscriptions, type Selection } from "./actor.ts";
import { deletions } from "./deletions.ts";

export type Trash = ActorRefFrom<typeof trashMachine>;

const outcomeOf = ({ done, failed }: BatchResult): TrashOutcome => ({
  done,
  count: done.length,
  failed: failed.length,
  code: failed[0]?.code ?? null,
});

function change(wish: TrashWish, signal: AbortSignal): Promise<TrashOutcome> {
  // Closes the toast's offer to undo, because the trash has handled these rows.
  if (wish.type !== "empty") for (const id of wish.ids) deletions.find(id)?.send({ type: "offer.closed" });
  if (wish.type === "restore") return trashApi.restore(wish.ids, signal).then(outcomeOf);
  if (wish.type === "erase") return trashApi.erase(wish.ids, signal).then(outcomeOf);
  return trashApi.empty(wish.until, signal).then(({ erased }) => ({ done: null, count: erased, failed: 0, code: null }));
}

const machine = trashMachine.provide({
  actors: {
    fetchPage: fromPromise(({ input, signal }) => trashApi.list(input.after, signal)),
    change: fromPromise(({ input, signal }) => change(input, signal)),
  },
});

const done = { restore: "app:trash.restored", erase: "app:trash.erased", empty: "app:trash.emptied" } as const;

/** Updates the history after rows were restored. */
function announce(event: TrashEmitted): void {
  if (event.wish === "restore") openedTranscriptions()?.send({ type: "list.outdated" });
  if (event.type === "trash.changed") toast({ kind: "success", key: done[event.wish] });
  else if (event.code === "network") toast({ kind: "error", key: "errors.network" });
  else toast({ kind: "error", key: "app:trash.failed", values: { number: String(event.count) } });
}

export interface OpenTrash {
  actor: Trash;
  selection: Selection;
}

const trashes = perOwner<OpenTrash>({ end: ({ actor }) => actor.stop() });

/** Opens the signed-in user's trash. Reloads it and clears the selection. */
export function openTrash(): OpenTrash {
  const trash = trashes.open(() => {
    const actor = createActor(machine, inspected()).start();
    for (const type of ["trash.changed", "change.failed"] as const) actor.on(type, announce);
    const { selection } = actor.getSnapshot().children;
    if (selection === undefined) throw new Error("The selection runs as long as the trash does.");
    return { actor, selection };
  });
  trash.actor.send({ type: "list.requested" });
  trash.selection.send({ type: "selection.cleared" });
  return trash;
}

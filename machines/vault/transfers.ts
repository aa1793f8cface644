import { type ActorRefFrom, assign, enqueueActions, fromCallback, not, setup } from "xstate";
import type { VaultItem } from "#contract/index.ts";
import { notProvided } from "#machines/not-provided.ts";
import { giveSlots, hasSlots, noSlots, type UploadSlots, withoutSlot, withWaiting } from "#machines/upload-slots.ts";
import { withEvent } from "#machines/with-event.ts";
import { type VaultTransferEmitted, vaultTransferMachine } from "./transfer.ts";

export type VaultTransfersEvent =
  /** The person chose files, or a recording has ended. Bytes and names are outside the machine. */
  | { type: "transfers.added"; transfers: readonly { id: string; size: number; moves: boolean }[] }
  /** The person dismisses this transfer. */
  | { type: "dismiss.requested"; id: string }
  /** Events of the transfers. */
  | VaultTransferEmitted;

/** Emitted to the rest of the page. */
export type VaultTransfersEmitted =
  | { type: "transfer.done"; id: string; item: VaultItem }
  /** Its bytes can be discarded. */
  | { type: "transfer.removed"; id: string };

export type VaultTransferRef = ActorRefFrom<typeof vaultTransferMachine>;

interface VaultTransfersContext extends UploadSlots {
  /** In order of arrival. */
  transfers: readonly VaultTransferRef[];
  /** The ids of finished or cancelled transfers. */
  over: readonly string[];
}

/** The transfers into the vault while the page is open: one at a time, because each uses the whole bandwidth. */
export const vaultTransfersMachine = setup({
  types: { context: {} as VaultTransfersContext, events: {} as VaultTransfersEvent, emitted: {} as VaultTransfersEmitted },
  actors: {
    transfer: vaultTransferMachine,
    /** The browser asks before it closes the page. */
    holdPage: fromCallback(() => notProvided("holdPage")),
  },
  actions: {
    spawnTransfers: assign(({ context, event, spawn, self }) => {
      if (event.type !== "transfers.added") return {};
      const added = event.transfers.map((one) => spawn("transfer", { id: one.id, input: { ...one, list: self } }));
      return { transfers: [...context.transfers, ...added] };
    }),
    queue: assign(({ context }, { id }: { id: string }) => withWaiting(context, id)),
    unqueue: assign(({ context }, { id }: { id: string }) => withoutSlot(context, id)),
    giveSlots: enqueueActions(({ context, enqueue }) => {
      const { given, slots } = giveSlots(context, 1);
      if (given.length === 0) return;
      enqueue.assign(slots);
      for (const id of given) enqueue.sendTo(id, { type: "slot.given" });
    }),
    noteOver: assign({ over: ({ context }, { id }: { id: string }) => [...context.over, id] }),
    emitDone: enqueueActions(({ enqueue }, { id, item }: { id: string; item: VaultItem }) => {
      enqueue.emit({ type: "transfer.done", id, item });
    }),
    remove: enqueueActions(({ context, enqueue }, { id }: { id: string }) => {
      enqueue.stopChild(id);
      enqueue.assign({
        transfers: context.transfers.filter((transfer) => transfer.id !== id),
        over: context.over.filter((other) => other !== id),
      });
      enqueue.emit({ type: "transfer.removed", id });
    }),
  },
  guards: {
    isOver: ({ context }, { id }: { id: string }) => context.over.includes(id),
    isIdle: ({ context }) => !hasSlots(context),
  },
}).createMachine({
  id: "vaultTransfers",
  context: { ...noSlots, transfers: [], over: [] },
  initial: "idle",
  on: {
    "transfers.added": { actions: "spawnTransfers" },
    "slot.requested": { actions: [withEvent("queue"), "giveSlots"] },
    "slot.released": { actions: [withEvent("unqueue"), "giveSlots"] },
    "transfer.done": { actions: [withEvent("noteOver"), withEvent("emitDone")] },
    "transfer.cancelled": { actions: withEvent("noteOver") },
    "dismiss.requested": { guard: withEvent("isOver"), actions: withEvent("remove") },
  },
  states: {
    idle: { always: { guard: not("isIdle"), target: "busy" } },
    busy: { invoke: { src: "holdPage" }, always: { guard: "isIdle", target: "idle" } },
  },
});

type TransfersSnapshot = ReturnType<typeof vaultTransfersMachine.getInitialSnapshot>;

/** The same array until a transfer is added or removed. */
export const selectTransfers = (snapshot: TransfersSnapshot): readonly VaultTransferRef[] => snapshot.context.transfers;

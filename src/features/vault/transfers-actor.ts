import { createActor, fromCallback, fromPromise } from "xstate";
import type { VaultItem } from "#contract/index.ts";
import { type VaultTransferEvent, vaultTransferMachine } from "#machines/vault/transfer.ts";
import { vaultTransfersMachine } from "#machines/vault/transfers.ts";
import type { VaultApi } from "#src/api/vault.ts";
import { inspected } from "#src/browser/inspection.ts";
import { newId } from "#src/browser/new-id.ts";
import { createWakeUps, holdPage } from "#src/browser/page-events.ts";
import { createStore, type ReadableStore, type Store } from "#src/browser/store.ts";
import { currentUserId, openSession } from "#src/features/session/actor.ts";
import { dropPersisted } from "#src/features/transcriptions/persisted.ts";
import { compare } from "./fetching.ts";
import { createSending, type Parcel, type Sending } from "./sending.ts";
import type { VaultKeys } from "./unlocked-keys.ts";
import { VaultFailure } from "./worker.ts";

/** A new item before its inspection. */
export interface Consignment {
  /** Its name in the list until it has been transferred. */
  name: string;
  /** Bytes. */
  size: number;
  /** The item's id; default: a new one. */
  id?: string;
  moves?: boolean;
  prepare(id: string, signal: AbortSignal): Promise<Parcel>;
  /** Called when the item is in the vault. */
  onDone?(item: VaultItem): void;
}

interface Held extends Consignment {
  /** Progress from 0 to 1. */
  fraction: Store<number>;
  parcel?: Parcel;
  sending?: Sending;
}

export type VaultTransfers = ReturnType<typeof createVaultTransfers>;

interface Parts {
  api: VaultApi;
  keys: VaultKeys;
  ownerId: string;
  /** The age recipient. @throws VaultFailure without a vault */
  recipient(): string;
  onItem(item: VaultItem): void;
}

const nothingSent = createStore(0);

export function createVaultTransfers({ api, keys, ownerId, recipient, onItem }: Parts) {
  const held = new Map<string, Held>();
  const find = (id: string): Held => {
    const one = held.get(id);
    if (one === undefined) throw new VaultFailure("unreadable");
    return one;
  };
  const send = async (id: string, signal: AbortSignal): Promise<VaultItem> => {
    const one = find(id);
    one.parcel ??= await one.prepare(id, signal);
    one.sending ??= createSending(one.parcel, {
      api,
      worker: keys.sealing(),
      recipient: recipient(),
      now: () => performance.now(),
      onSent: (bytes, size) => one.fraction.set(bytes / size),
    });
    return one.sending.run(signal);
  };
  /** Deletes the original only after it has read the whole item back and found it identical. */
  const settle = async (id: string, item: VaultItem | null, signal: AbortSignal): Promise<void> => {
    const { parcel, fraction } = find(id);
    if (parcel === undefined || item === null) throw new VaultFailure("unreadable");
    const onBytes = (bytes: number) => fraction.set(bytes / item.size);
    await compare({ api, id: item.id, size: item.size, signal, onBytes }, keys.opened(), parcel.source);
    const kept = parcel.text === null ? parcel.text : await readText(api, keys, item.id, signal);
    if (kept !== parcel.text) throw new VaultFailure("different");
    await api.destroyPlaintext(item.id, signal);
    if (parcel.transcriptionId !== null) await dropPersisted([parcel.transcriptionId]);
  };
  const transfer = vaultTransferMachine.provide({
    actors: {
      send: fromPromise(({ input, signal }) => send(input.id, signal)),
      settle: fromPromise(({ input, signal }) => settle(input.id, input.item, signal)),
      discard: fromPromise(async ({ input, signal }) => held.get(input.id)?.sending?.discard(signal)),
      wakeUps: createWakeUps<VaultTransferEvent>(),
      signIn: fromCallback(({ sendBack }) => {
        const { unsubscribe } = openSession().subscribe(() => {
          if (currentUserId() === ownerId) sendBack({ type: "session.resumed" });
        });
        return unsubscribe;
      }),
    },
  });
  const actor = createActor(
    vaultTransfersMachine.provide({ actors: { transfer, holdPage: fromCallback(() => holdPage()) } }),
    inspected(),
  );
  actor.on("transfer.done", ({ id, item }) => {
    onItem(item);
    held.get(id)?.onDone?.(item);
    // Removes the row, because the item is in the list now.
    queueMicrotask(() => actor.send({ type: "dismiss.requested", id }));
  });
  actor.on("transfer.removed", ({ id }) => held.delete(id));
  actor.start();
  return {
    actor,
    add: (consignments: readonly Consignment[]) => {
      const transfers = consignments.map((consignment) => {
        const id = consignment.id ?? newId();
        held.set(id, { ...consignment, fraction: createStore(0) });
        return { id, size: consignment.size, moves: consignment.moves ?? false };
      });
      // A running transfer continues, for example if the same leftover is requested twice.
      const under = new Set(actor.getSnapshot().context.transfers.map(({ id }) => id));
      const added = transfers.filter(({ id }) => !under.has(id));
      if (added.length > 0) actor.send({ type: "transfers.added", transfers: added });
    },
    nameOf: (id: string) => held.get(id)?.name ?? "",
    fractionOf: (id: string): ReadableStore<number> => held.get(id)?.fraction ?? nothingSent,
    stop: () => {
      actor.stop();
      held.clear();
    },
  };
}

/** Fetches and decrypts an item's text. @throws ApiError, VaultFailure */
export async function readText(api: Pick<VaultApi, "text">, keys: VaultKeys, id: string, signal: AbortSignal): Promise<string> {
  const bytes = await api.text(id, signal);
  return new TextDecoder().decode(await keys.opened().ask("openBytes", { bytes }));
}

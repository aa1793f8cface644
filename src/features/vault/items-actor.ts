import { createActor, fromPromise } from "xstate";
import type { VaultItem } from "#contract/index.ts";
import { vaultItemMachine } from "#machines/vault/item.ts";
import type { VaultApi } from "#src/api/vault.ts";
import { downloadFile } from "#src/browser/download.ts";
import { inspected } from "#src/browser/inspection.ts";
import { createStore } from "#src/browser/store.ts";
import type { Player } from "#src/features/transcription/player.ts";
import { createBlobPlayer } from "./blob-player.ts";
import { fetchCipher, fetchPlain } from "./fetching.ts";
import { createVaultLinks, type VaultLinks } from "./links-actor.ts";
import { fileNameOf, type VaultMeta } from "./meta.ts";
import { playedTrackOf } from "./played-track.ts";
import type { VaultKeys } from "./unlocked-keys.ts";
import { VaultFailure } from "./worker.ts";

export type OpenItem = ReturnType<typeof createItem>;

interface Parts {
  api: VaultApi;
  keys: VaultKeys;
  recipient(): string;
  find(id: string): VaultItem | undefined;
  /** Called during playback, which counts as activity. */
  notePresence(): void;
  onRenamed(item: VaultItem): void;
  onRemoved(id: string): void;
}

export function createVaultItems(parts: Parts) {
  const open = new Map<string, OpenItem>();
  const items = {
    /** Returns the same object for the same id. */
    of: (id: string): OpenItem => {
      const known = open.get(id);
      if (known !== undefined) return known;
      const item = createItem(id, parts);
      item.actor.on("item.renamed", ({ item: renamed }) => parts.onRenamed(renamed));
      item.actor.on("item.removed", () => {
        item.closeLinks();
        open.delete(id);
        parts.onRemoved(id);
      });
      open.set(id, item);
      return item;
    },
    /** Plays one item and stops the others. @param seconds start position */
    play: (id: string, seconds = 0) => {
      for (const [other, { close }] of open) if (other !== id) close();
      items.of(id).play(seconds);
    },
    /** Discards all decrypted data. */
    close: () => {
      for (const { close, closeLinks } of open.values()) {
        close();
        closeLinks();
      }
    },
  };
  return items;
}

/** One recording for components. */
function createItem(id: string, { api, keys, recipient, find, notePresence }: Parts) {
  const fetched = createStore(0);
  const opened = createStore<Player | null>(null);
  /** The position at which playback starts once the audio is open (seconds). */
  let from = 0;
  let sound: Blob | undefined;
  let newName = "";
  const wanted = (signal: AbortSignal) => {
    const item = find(id);
    if (item === undefined) throw new VaultFailure("locked");
    fetched.set(0);
    const { size } = item;
    return { api, id, size, signal, onBytes: (bytes: number) => fetched.set(bytes / size) };
  };
  const metaOf = (): VaultMeta => {
    const meta = keys.names.get().get(id);
    if (meta === undefined) throw new VaultFailure("locked");
    return meta;
  };
  const release = () => {
    opened.get()?.actor.stop();
    opened.set(null);
    sound = undefined;
  };
  const machine = vaultItemMachine.provide({
    actors: {
      open: fromPromise(async ({ signal }) => {
        const plain = await fetchPlain(wanted(signal), keys.opened(), metaOf().type);
        const played = await playedTrackOf(plain);
        signal.throwIfAborted();
        sound = plain;
        opened.set(createBlobPlayer(played, notePresence, from));
      }),
      download: fromPromise(async ({ signal }) => {
        const cipher = await fetchCipher(wanted(signal));
        signal.throwIfAborted();
        downloadFile(cipher, `${fileNameOf({ name: metaOf().name, type: "" })}.age`);
      }),
      rename: fromPromise(async ({ signal }) => {
        const text = JSON.stringify({ ...metaOf(), name: newName } satisfies VaultMeta);
        return api.rename(id, await keys.sealing().ask("seal", { recipient: recipient(), text }), signal);
      }),
      remove: fromPromise(async ({ signal }) => void (await api.remove(id, signal))),
    },
    actions: {
      handOver: () => {
        if (sound !== undefined) downloadFile(sound, fileNameOf(metaOf()));
      },
      release,
    },
  });
  const actor = createActor(machine, { ...inspected(), input: { id } }).start();
  const links = createStore<VaultLinks | null>(null);
  const closeLinks = () => {
    links.get()?.actor.stop();
    links.set(null);
  };
  return {
    actor,
    /** Download progress from 0 to 1. */
    fetched,
    /** The player of the decrypted audio; null while it is closed. */
    opened,
    /** The links to it, while they are visible. */
    links,
    close: () => {
      actor.send({ type: "cancel.requested" });
      actor.send({ type: "close.requested" });
    },
    play: (seconds: number) => {
      from = seconds;
      opened.get()?.actor.send({ type: "seek.requested", seconds, play: true });
      actor.send({ type: "play.requested" });
    },
    showLinks: () => {
      const item = find(id);
      const meta = keys.names.get().get(id);
      if (links.get() === null && item !== undefined && meta !== undefined)
        links.set(createVaultLinks({ api, keys, item, meta }));
    },
    closeLinks,
    rename: (name: string) => {
      newName = name;
      actor.send({ type: "rename.requested" });
    },
  };
}

import { createActor, fromCallback, fromPromise } from "xstate";
import type { Segment, VaultItem } from "#contract/index.ts";
import { selectIsOnDevice } from "#machines/device-models/selectors.ts";
import { type VaultTextEvent, vaultTextMachine } from "#machines/vault/text.ts";
import type { VaultApi } from "#src/api/vault.ts";
import { inspected } from "#src/browser/inspection.ts";
import { holdPage } from "#src/browser/page-events.ts";
import { createStore } from "#src/browser/store.ts";
import { deviceModels } from "#src/features/device-models/actor.ts";
import { fetchPlain } from "./fetching.ts";
import { sealNewText } from "./made-text.ts";
import { parseMeta, type VaultMeta } from "./meta.ts";
import { failByModel } from "./problem.ts";
import { textLock } from "./text-lock.ts";
import type { VaultKeys } from "./unlocked-keys.ts";
import { VaultFailure } from "./worker.ts";

export type VaultTexts = ReturnType<typeof createVaultTexts>;

interface Parts {
  api: VaultApi;
  keys: VaultKeys;
  recipient(): string;
  find(id: string): VaultItem | undefined;
  /** Called during recognition, which counts as activity: the vault stays open until the text is done. */
  notePresence(): void;
  onStored(item: VaultItem): void;
}

/** Transcribes items on this device. */
export function createVaultTexts({ api, keys, recipient, find, notePresence, onStored }: Parts) {
  const fraction = createStore(0);
  let sound: Blob | undefined;
  let segments: readonly Segment[] = [];
  /**
   * Sealed texts that the server did not accept, by item id. The next attempt stores them without recognizing again.
   */
  const unstored = new Map<string, Uint8Array<ArrayBuffer>>();
  const known = async (id: string): Promise<{ item: VaultItem; meta: VaultMeta }> => {
    const item = find(id);
    if (item === undefined) throw new VaultFailure("locked");
    const meta = parseMeta(await keys.opened().ask("open", { armored: item.meta }));
    if (meta === undefined) throw new VaultFailure("unreadable");
    return { item, meta };
  };
  const fetchSound = async (id: string, signal: AbortSignal) => {
    if (unstored.has(id)) return;
    fraction.set(0);
    const { item, meta } = await known(id);
    const onBytes = (bytes: number) => fraction.set(bytes / item.size);
    const plain = await fetchPlain({ api, id, size: item.size, signal, onBytes }, keys.opened(), meta.type);
    signal.throwIfAborted();
    sound = plain;
  };
  const recognize = async (id: string, signal: AbortSignal) => {
    if (unstored.has(id)) return;
    if (sound === undefined) throw new VaultFailure("locked");
    fraction.set(0);
    const onProgress = (done: number) => {
      notePresence();
      fraction.set(done);
    };
    const all = await deviceModels().english.recogniser.transcribe(sound, { onProgress, signal }).catch(failByModel);
    signal.throwIfAborted();
    if (all.length === 0) throw new VaultFailure("noSpeech");
    segments = all;
  };
  const store = async (id: string, signal: AbortSignal): Promise<VaultItem> => {
    const { item, meta } = await known(id);
    const text = unstored.get(id) ?? (await sealNewText(keys.sealing(), recipient(), { id, meta, segments }));
    unstored.set(id, text);
    const present = await api.item(id, signal);
    // Another tab has stored a text meanwhile, which the user may already have corrected.
    const stored = present.hasText && !item.hasText ? present : await api.putText(id, text, signal);
    unstored.delete(id);
    return stored;
  };
  const actor = createActor(
    vaultTextMachine.provide({
      actors: {
        model: fromCallback<VaultTextEvent>(({ sendBack }) => {
          const { actor: model } = deviceModels().english;
          const tell = () => {
            if (selectIsOnDevice(model.getSnapshot())) sendBack({ type: "model.arrived" });
          };
          tell();
          return model.subscribe(tell).unsubscribe;
        }),
        fetchSound: fromPromise(({ input, signal }) => fetchSound(input.id, signal)),
        recognize: fromPromise(({ input, signal }) => recognize(input.id, signal)),
        store: fromPromise(({ input, signal }) => textLock(input.id)(() => store(input.id, signal))),
        holdPage: fromCallback(() => holdPage()),
      },
      actions: {
        release: () => {
          sound = undefined;
          segments = [];
        },
      },
    }),
    inspected(),
  );
  actor.on("text.stored", ({ item }) => onStored(item));
  actor.start();
  return {
    actor,
    /** Fetched or recognized part, from 0 to 1. */
    fraction,
  };
}

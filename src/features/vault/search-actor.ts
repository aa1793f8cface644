import { createActor, fromCallback, fromPromise } from "xstate";
import type { VaultItem } from "#contract/index.ts";
import { wantedIn } from "#contract/search/wanted.ts";
import { codeOf } from "#machines/failure.ts";
import { type VaultSearchEvent, vaultSearchMachine } from "#machines/vault/search.ts";
import { ApiError } from "#src/api/http.ts";
import type { VaultApi } from "#src/api/vault.ts";
import { inspected } from "#src/browser/inspection.ts";
import { createStore } from "#src/browser/store.ts";
import { findInTexts, type VaultFound } from "./search-texts.ts";
import type { SearchedText } from "./searched-text.ts";
import type { VaultKeys } from "./unlocked-keys.ts";

/** The number of texts to fetch in parallel. */
const atOnce = 3;
/** The interval for updating the hits while texts are still being loaded (ms). */
const searchEvery = 1000;

const nothing: VaultFound = { hits: [], hasMore: false };
const noProgress = { done: 0, total: 0, unreadable: 0 };

export type VaultSearch = ReturnType<typeof createVaultSearch>;

interface Parts {
  api: Pick<VaultApi, "text">;
  keys: VaultKeys;
  /** The items in the list's order, newest first. */
  items(): readonly VaultItem[];
}

/** The search in all texts of the vault. It holds the texts until the vault is locked. */
export function createVaultSearch({ api, keys, items }: Parts) {
  const query = createStore("");
  const found = createStore(nothing);
  const progress = createStore(noProgress);
  /** Texts by item id; null: unreadable. */
  const texts = new Map<string, SearchedText | null>();

  const read = async (id: string, signal: AbortSignal): Promise<SearchedText | null> => {
    try {
      const bytes = await api.text(id, signal);
      return await keys.opened().ask("openSearched", { bytes }, [bytes.buffer]);
    } catch (error) {
      signal.throwIfAborted();
      // The other texts would fail too.
      if (codeOf(error) === "locked" || (error instanceof ApiError && error.code !== "notFound")) throw error;
      return null;
    }
  };
  const readAll = async (signal: AbortSignal, onText: () => void) => {
    const withText = items().filter(({ hasText }) => hasText);
    const missing = withText.filter(({ id }) => !texts.has(id)).values();
    const note = () => {
      const known = withText.filter(({ id }) => texts.has(id));
      const unreadable = known.filter(({ id }) => texts.get(id) === null).length;
      progress.set({ done: known.length, total: withText.length, unreadable });
    };
    const readSome = async () => {
      for (const { id } of missing) {
        const text = await read(id, signal);
        signal.throwIfAborted();
        texts.set(id, text);
        note();
        onText();
      }
    };
    note();
    await Promise.all(Array.from({ length: atOnce }, readSome));
  };
  const machine = vaultSearchMachine.provide({
    actors: {
      readTexts: fromCallback<VaultSearchEvent>(({ sendBack }) => {
        const stop = new AbortController();
        let searchedAt = performance.now();
        const onText = () => {
          if (performance.now() - searchedAt < searchEvery) return;
          searchedAt = performance.now();
          sendBack({ type: "texts.came" });
        };
        readAll(stop.signal, onText).then(
          () => sendBack({ type: "texts.read" }),
          (error: unknown) => {
            if (!stop.signal.aborted) sendBack({ type: "reading.failed", code: codeOf(error) });
            stop.abort();
          },
        );
        return () => stop.abort();
      }),
      search: fromPromise(async ({ signal }) => {
        const names = keys.names.get();
        const all = items().map(({ id }) => ({ id, name: names.get(id)?.name ?? "", text: texts.get(id) ?? null }));
        found.set(await findInTexts(all, wantedIn("", query.get()), signal));
      }),
    },
    actions: {
      clearHits: () => found.set(nothing),
      clearTexts: () => {
        texts.clear();
        query.set("");
        progress.set(noProgress);
      },
    },
  });
  const actor = createActor(machine, inspected()).start();
  return {
    actor,
    /** The query as typed. */
    query,
    found,
    /** The number of loaded texts, their total, and how many can't be decrypted or have another version. */
    progress,
    ask: (words: string) => {
      query.set(words);
      actor.send({ type: "query.changed", isBlank: words.trim() === "" });
    },
    /** Called when an item is new, has another text, or was removed. */
    forget: (id: string) => {
      texts.delete(id);
      actor.send({ type: "texts.changed" });
    },
    /** Called when the vault is locked. */
    clear: () => actor.send({ type: "vault.locked" }),
    stop: () => {
      actor.stop();
      texts.clear();
    },
  };
}

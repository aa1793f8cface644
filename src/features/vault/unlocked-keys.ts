import type { NewVault, Vault, VaultItem } from "#contract/index.ts";
import type { VaultApi } from "#src/api/vault.ts";
import { createStore, type ReadableStore } from "#src/browser/store.ts";
import { parseMeta, type VaultMeta } from "./meta.ts";
import { startWorker, VaultFailure, type VaultWorker } from "./worker.ts";

/** What a person typed, for the one actor that uses it next. */
interface Entered {
  passphrase: string;
  /** The new passphrase, if any. */
  next: string;
  recoveryKey: string;
}

/** Keys, passphrases and names, outside of the machine: no inspector can see them, and nothing stores them. */
export interface VaultKeys {
  /** By the item's id; empty while the vault is locked. */
  names: ReadableStore<ReadonlyMap<string, VaultMeta>>;
  /** While it is shown. */
  recoveryKey: ReadableStore<string | null>;
  enter(entered: Partial<Entered>): void;
  /** The worker that holds the identity. @throws VaultFailure `locked` */
  opened(): VaultWorker;
  /** A worker without secrets: encrypts even while the vault is locked. */
  sealing(): VaultWorker;
  create(): Promise<void>;
  store(signal: AbortSignal): Promise<Vault>;
  unlock(vault: Vault | null): Promise<void>;
  recover(vault: Vault | null): Promise<void>;
  reseal(vault: Vault | null, signal: AbortSignal): Promise<Vault>;
  readNames(items: readonly VaultItem[], signal: AbortSignal): Promise<void>;
  /** Clears the identity, the names and the typed secrets. */
  clear(): void;
  stop(): void;
}

const nothing: Entered = { passphrase: "", next: "", recoveryKey: "" };
const noNames: ReadonlyMap<string, VaultMeta> = new Map();

export function createVaultKeys(api: Pick<VaultApi, "create" | "reseal">): VaultKeys {
  const names = createStore(noNames);
  const recoveryKey = createStore<string | null>(null);
  let holder: VaultWorker | undefined;
  let sealer: VaultWorker | undefined;
  let entered = nothing;
  let made: NewVault | undefined;
  /** The encrypted source of each name. */
  const read = new Map<string, string>();

  const take = () => {
    const typed = entered;
    entered = nothing;
    return typed;
  };
  const clear = () => {
    holder?.end();
    holder = undefined;
    made = undefined;
    entered = nothing;
    read.clear();
    names.set(noNames);
    recoveryKey.set(null);
  };
  const opened = () => {
    if (holder === undefined) throw new VaultFailure("locked");
    return holder;
  };
  /** A worker that failed to start is not kept. */
  const hold = async <Result>(work: (worker: VaultWorker) => Promise<Result>): Promise<Result> => {
    holder?.end();
    const worker = startWorker();
    holder = worker;
    try {
      return await work(worker);
    } catch (error) {
      worker.end();
      if (holder === worker) holder = undefined;
      throw error;
    }
  };
  const existing = (vault: Vault | null): Vault => {
    if (vault === null) throw new VaultFailure("locked");
    return vault;
  };
  return {
    names,
    recoveryKey,
    enter: (more) => {
      entered = { ...nothing, ...more };
    },
    opened,
    sealing: () => {
      sealer ??= startWorker();
      return sealer;
    },
    create: async () => {
      const { passphrase } = take();
      const keys = await hold((worker) => worker.ask("create", { passphrase }));
      made = keys.vault;
      recoveryKey.set(keys.recoveryKey);
    },
    store: async (signal) => {
      if (made === undefined) throw new VaultFailure("locked");
      const vault = await api.create(made, signal);
      made = undefined;
      recoveryKey.set(null);
      return vault;
    },
    unlock: async (vault) => {
      const { sealed, recipient } = existing(vault);
      const { passphrase } = take();
      await hold((worker) => worker.ask("unlock", { sealed, recipient, passphrase }));
    },
    recover: async (vault) => {
      const { recoverySealed, recipient } = existing(vault);
      const typed = take();
      await hold((worker) => worker.ask("recover", { recoverySealed, recipient, recoveryKey: typed.recoveryKey }));
    },
    reseal: async (vault, signal) => {
      const { sealed, revision } = existing(vault);
      const { passphrase, next } = take();
      const resealed =
        passphrase === ""
          ? await opened().ask("reseal", { passphrase: next })
          : await opened().ask("change", { sealed, passphrase, next });
      signal.throwIfAborted();
      return api.reseal({ sealed: resealed, revision }, signal);
    },
    readNames: async (items, signal) => {
      const worker = opened();
      for (const { id, meta } of items) {
        if (read.get(id) === meta) continue;
        const text = await worker.ask("open", { armored: meta }).catch(() => "");
        if (signal.aborted || holder !== worker) return;
        const parsed = parseMeta(text);
        if (parsed === undefined) continue;
        read.set(id, meta);
        names.set(new Map(names.get()).set(id, parsed));
      }
    },
    clear,
    stop: () => {
      clear();
      sealer?.end();
    },
  };
}

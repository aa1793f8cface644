import type { NewVault, Vault, VaultItem } from "#contract/index.ts";
import type { VaultApi } from "#src/api/vault.ts";
import { createStore } from "#src/browser/store.ts";
import { parseMeta, type VaultMeta } from "./meta.ts";
import { startWorker, VaultFailure, type VaultWorker } from "./worker.ts";

/** The user's input, for the one actor that uses it next. */
interface Entered {
  passphrase: string;
  /** The new passphrase, if any. */
  next: string;
  recoveryKey: string;
}

const nothing: Entered = { passphrase: "", next: "", recoveryKey: "" };
const noNames: ReadonlyMap<string, VaultMeta> = new Map();

export type VaultKeys = ReturnType<typeof createVaultKeys>;

/** Keys, passphrases and names, kept out of the machine: no inspector can see them, and nothing stores them. */
export function createVaultKeys(api: Pick<VaultApi, "create" | "reseal">) {
  const workers = createKeyWorkers();
  const { names, readNames, clearNames } = createItemNames(workers);
  const recoveryKey = createStore<string | null>(null);
  let entered = nothing;
  let made: NewVault | undefined;

  const take = () => {
    const typed = entered;
    entered = nothing;
    return typed;
  };
  /** Clears the identity, the names and the typed secrets. */
  const clear = () => {
    workers.lock();
    made = undefined;
    entered = nothing;
    clearNames();
    recoveryKey.set(null);
  };
  return {
    /** Names by item id; empty while the vault is locked. */
    names,
    /** Set only while the page shows it. */
    recoveryKey,
    enter: (more: Partial<Entered>) => {
      entered = { ...nothing, ...more };
    },
    /** The worker that holds the identity. @throws VaultFailure `locked` */
    opened: workers.opened,
    /** A worker without secrets, which encrypts even while the vault is locked. */
    sealing: workers.sealing,
    create: async () => {
      const { passphrase } = take();
      const keys = await workers.hold((worker) => worker.ask("create", { passphrase }));
      made = keys.vault;
      recoveryKey.set(keys.recoveryKey);
    },
    store: async (signal: AbortSignal): Promise<Vault> => {
      if (made === undefined) throw new VaultFailure("locked");
      const vault = await api.create(made, signal);
      made = undefined;
      recoveryKey.set(null);
      return vault;
    },
    unlock: async (vault: Vault | null) => {
      const { sealed, recipient } = existing(vault);
      const { passphrase } = take();
      await workers.hold((worker) => worker.ask("unlock", { sealed, recipient, passphrase }));
    },
    recover: async (vault: Vault | null) => {
      const { recoverySealed, recipient } = existing(vault);
      const typed = take();
      await workers.hold((worker) => worker.ask("recover", { recoverySealed, recipient, recoveryKey: typed.recoveryKey }));
    },
    reseal: async (vault: Vault | null, signal: AbortSignal): Promise<Vault> => {
      const { sealed, revision } = existing(vault);
      const { passphrase, next } = take();
      const resealed =
        passphrase === ""
          ? await workers.opened().ask("reseal", { passphrase: next })
          : await workers.opened().ask("change", { sealed, passphrase, next });
      signal.throwIfAborted();
      return api.reseal({ sealed: resealed, revision }, signal);
    },
    readNames,
    clear,
    stop: () => {
      clear();
      workers.stop();
    },
  };
}

function existing(vault: Vault | null): Vault {
  if (vault === null) throw new VaultFailure("locked");
  return vault;
}

/** The names of the vault's items, decrypted by the worker that holds the identity. */
function createItemNames({ opened, isOpen }: ReturnType<typeof createKeyWorkers>) {
  const names = createStore(noNames);
  /** The encrypted source of each name. */
  const read = new Map<string, string>();
  return {
    names,
    readNames: async (items: readonly VaultItem[], signal: AbortSignal) => {
      const worker = opened();
      for (const { id, meta } of items) {
        if (read.get(id) === meta) continue;
        const text = await worker.ask("open", { armored: meta }).catch(() => "");
        if (signal.aborted || !isOpen(worker)) return;
        const parsed = parseMeta(text);
        if (parsed === undefined) continue;
        read.set(id, meta);
        names.set(new Map(names.get()).set(id, parsed));
      }
    },
    clearNames: () => {
      read.clear();
      names.set(noNames);
    },
  };
}

/** Manages the worker that holds the vault's identity, and one without secrets. */
function createKeyWorkers() {
  let holder: VaultWorker | undefined;
  let sealer: VaultWorker | undefined;
  const lock = () => {
    holder?.end();
    holder = undefined;
  };
  return {
    /** @throws VaultFailure `locked` */
    opened: () => {
      if (holder === undefined) throw new VaultFailure("locked");
      return holder;
    },
    isOpen: (worker: VaultWorker) => holder === worker,
    /** Returns the worker without secrets, which encrypts even while the vault is locked. */
    sealing: () => {
      sealer ??= startWorker();
      return sealer;
    },
    /** Starts the worker that will hold the identity. Terminates it if the task fails. */
    hold: async <Result>(task: (worker: VaultWorker) => Promise<Result>): Promise<Result> => {
      lock();
      const worker = startWorker();
      holder = worker;
      try {
        return await task(worker);
      } catch (error) {
        worker.end();
        if (holder === worker) holder = undefined;
        throw error;
      }
    },
    lock,
    stop: () => {
      lock();
      sealer?.end();
    },
  };
}

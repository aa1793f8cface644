import { startWorker, VaultFailure, type VaultWorker } from "./worker.ts";

/** The worker that holds the vault's identity, and one without secrets. */
export interface KeyWorkers {
  /** @throws VaultFailure `locked` */
  opened(): VaultWorker;
  isOpen(worker: VaultWorker): boolean;
  /** Encrypts even while the vault is locked. */
  sealing(): VaultWorker;
  /** Starts the worker that is to hold the identity. One that fails to get it is not kept. */
  hold<Result>(task: (worker: VaultWorker) => Promise<Result>): Promise<Result>;
  /** Ends the one that holds the identity. */
  lock(): void;
  stop(): void;
}

export function createKeyWorkers(): KeyWorkers {
  let holder: VaultWorker | undefined;
  let sealer: VaultWorker | undefined;
  const lock = () => {
    holder?.end();
    holder = undefined;
  };
  return {
    opened: () => {
      if (holder === undefined) throw new VaultFailure("locked");
      return holder;
    },
    isOpen: (worker) => holder === worker,
    sealing: () => {
      sealer ??= startWorker();
      return sealer;
    },
    hold: async (task) => {
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

import type { Db } from "#server/db/open.ts";
import { describeError, type Log } from "#server/log/log.ts";
import { keepPieces, type PieceKey, releasePiece } from "./lease-queries.ts";
import { reserved } from "./sharing.ts";
import type { HelpedPiece, Helper, JobWork } from "./work.ts";

/** A worker that has failed at another's piece leaves those alone for a while (milliseconds): its engine may be broken, or its network. */
const restMs = 30_000;

interface Parts {
  db: Db;
  work: JobWork;
  log: Log;
  helper: Helper;
  /** A piece has ended: there may be something of higher rank to do now. */
  onEnded(): void;
}

/** The pieces that a worker hears for others. */
export interface Helping {
  /** The ids of their jobs. */
  jobs(): string[];
  /** Begins as many as this process can hear now. */
  begin(): Promise<void>;
  /**
   * Renews the leases of all pieces that the worker has, its own jobs' included, and stops those that are no longer its own.
   * @param ownJobs their ids
   */
  beat(ownJobs: ReadonlySet<string>): Promise<void>;
  /** Resolves when all have ended. */
  ended(): Promise<void>;
}

export function createHelping({ db, work, log, helper, onEnded }: Parts): Helping {
  const running = new Set<HelpedPiece>();
  let restsUntil = 0;
  let isBeginning = false;
  const follow = (piece: HelpedPiece) => {
    running.add(piece);
    const ended = piece.done
      .catch((error: unknown) => {
        if (helper.signal.aborted || isStop(error)) return;
        restsUntil = performance.now() + restMs;
        log.warn("piece failed", { id: piece.id, piece: piece.idx, ...describeError(error) });
      })
      .then(() => {
        running.delete(piece);
        onEnded();
      });
    void ended;
  };
  return {
    jobs: () => [...running].map(({ id }) => id),
    begin: async () => {
      isBeginning = true;
      try {
        while (performance.now() >= restsUntil && !helper.signal.aborted) {
          const piece = await work.help(helper);
          if (piece === undefined) return;
          follow(piece);
        }
      } finally {
        isBeginning = false;
      }
    },
    beat: async (ownJobs) => {
      const before = [...running];
      const kept = await keepPieces(db, helper.worker, helper.leaseUntil());
      for (const piece of before) if (!kept.some(isSame(piece))) piece.stop();
      if (isBeginning) return;
      // One that could not be handed back when it failed (the database was gone) would be nobody's for as long as this worker lives.
      const forgotten = kept.filter((piece) => !ownJobs.has(piece.id) && ![...running].some(isSame(piece)));
      for (const piece of forgotten) await releasePiece(db, piece, helper.worker, reserved.forNobody);
    },
    ended: async () => {
      await Promise.allSettled([...running].map(({ done }) => done));
    },
  };
}

const isSame = (one: PieceKey) => (other: PieceKey) => one.id === other.id && one.idx === other.idx;

const isStop = (error: unknown) => error instanceof DOMException && error.name === "AbortError";

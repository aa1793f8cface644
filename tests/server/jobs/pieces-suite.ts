import { describe, expect, onTestFinished, test } from "vitest";
import type { Db } from "#server/db/open.ts";
import { keepJob, listWorkers, releaseJob } from "#server/jobs/claim-queries.ts";
import {
  finishPiece,
  hasSuspectPiece,
  keepPieces,
  leasePiece,
  releasePiece,
  takeBackPieces,
  whoHearsRest,
} from "#server/jobs/lease-queries.ts";
import { listPieces, storePlan } from "#server/jobs/piece-queries.ts";
import { pauseJob, removeJob } from "#server/jobs/queries.ts";
import type { JobQueue } from "#server/jobs/queue.ts";
import { askToShare, listShareable, noteHeardAs, offerPieces } from "#server/jobs/shared-queries.ts";
import { reserved, sharing } from "#server/jobs/sharing.ts";
import { suspectJobsOf } from "#server/jobs/suspect-queries.ts";
import { Line } from "./queue-suite.ts";

/** A time at which all is due, and the end of a lease that is taken then. */
const now = 2_000_000_000_000;
const leaseUntil = now + 15_000;
const owner = "owner";

interface Opened {
  db: Db;
  queue: JobQueue;
  close(): Promise<void>;
}

/** What several workers of one job do, whichever database and queue they share. @param open on an empty database */
export function describePieces(name: string, open: () => Promise<Opened>): void {
  /** People with a file each, of so many pieces, which `owner` has. */
  const files = async (...titles: string[]) => {
    const opened = await open();
    onTestFinished(opened.close);
    const line = new Line(opened);
    await line.addMany(...titles);
    for (const _ of titles) await plan(opened.db, line.id(await line.take({ worker: owner, now })));
    return { ...opened, line, id: line.id(titles[0] ?? "") };
  };
  const plan = async (db: Db, id: string, count = 6) => {
    const pieces = Array.from({ length: count }, (_, index) => ({
      index,
      startSample: index * 100,
      endSample: index * 100 + 100,
      speech: true,
    }));
    await storePlan(db, id, { samples: count * 100, truncated: false, pieces });
    await noteHeardAs(db, id, owner, "engine en");
  };
  const own = (db: Db, id: string) => leasePiece(db, { id, worker: owner, leaseUntil, isHelp: false });
  const help = (db: Db, id: string, worker = "helper") => leasePiece(db, { id, worker, leaseUntil, isHelp: true });
  const segment = { start: 0, end: 1, text: "one", words: [] };
  const finish = (db: Db, id: string, idx: number, worker: string) => finishPiece(db, { id, idx }, worker, [segment]);

  describe(`the pieces of a job, with the queue of ${name}`, () => {
    test("go each to one worker, however many ask at the same time", async () => {
      const { db, id } = await files("Ann 1");
      await offerPieces(db, id, owner);
      const taken = await Promise.all([
        ...Array.from({ length: 4 }, () => own(db, id)),
        ...Array.from({ length: 4 }, (_, i) => help(db, id, `helper ${i}`)),
      ]);
      const indices = taken.flatMap((piece) => piece?.idx ?? []);
      expect(indices.toSorted()).toEqual([0, 1, 2, 3, 4, 5]);
      expect(await own(db, id)).toBeUndefined();
      expect(await whoHearsRest(db, id)).toEqual(new Set(taken.flatMap((piece) => piece?.worker_id ?? [])));
    });

    test("are others' only while their job is offered, is somebody's and is not paused", async () => {
      const { db, id } = await files("Ann 1");
      expect(await help(db, id)).toBeUndefined();
      await askToShare(db, id);
      expect(await help(db, id)).toBeUndefined();
      await offerPieces(db, id, "somebody else");
      expect(await help(db, id)).toBeUndefined();
      await offerPieces(db, id, owner);
      expect(await help(db, id)).toMatchObject({ idx: 0, worker_id: "helper" });
      await pauseJob(db, id, true);
      expect(await help(db, id)).toBeUndefined();
      await pauseJob(db, id, false);
      await releaseJob(db, id, owner);
      expect(await help(db, id)).toBeUndefined();
    });

    test("are stored once, by the worker that has the piece at the end", async () => {
      const { db, id } = await files("Ann 1");
      await offerPieces(db, id, owner);
      await help(db, id);
      expect(await finish(db, id, 0, owner)).toBe(false);
      await takeBackPieces(db, id);
      expect(await finish(db, id, 0, "helper")).toBe(false);
      await own(db, id);
      expect(await finish(db, id, 0, owner)).toBe(true);
      expect(await finish(db, id, 0, owner)).toBe(false);
      expect((await listPieces(db, id)).filter(({ done }) => done === 1)).toMatchObject([
        { idx: 0, segments: JSON.stringify([segment]), worker_id: null },
      ]);
    });

    test("are a worker's no longer when their job is deleted, paused or waits again", async () => {
      const { db, line } = await files("Ann 1", "Bob 1", "Cid 1", "Dan 1");
      const ids = ["Ann 1", "Bob 1", "Cid 1", "Dan 1"].map((title) => line.id(title));
      for (const id of ids) {
        await offerPieces(db, id, owner);
        await help(db, id);
      }
      const [gone = "", paused = "", waiting = "", kept = ""] = ids;
      await removeJob(db, gone);
      await pauseJob(db, paused, true);
      await releaseJob(db, waiting, owner);
      expect(await keepPieces(db, "helper", leaseUntil)).toEqual([{ id: kept, idx: 0 }]);
    });

    test("of a dead worker make a suspect of their job, and are the first that are heard alone", async () => {
      const { db, id, line, queue } = await files("Ann 1", "Bob 1");
      await offerPieces(db, id, owner);
      await own(db, id);
      await help(db, id);
      await help(db, id, "dead");
      expect((await listWorkers(db)).toSorted()).toEqual(["dead", "helper", owner]);
      expect(await listWorkers(db, now)).toEqual([]);
      await suspectJobsOf(db, "dead", { at: now });
      // Its coordinator has it no more, and has the other one still.
      expect(await keepJob(db, id, owner, leaseUntil)).toBeUndefined();
      expect(await keepJob(db, line.id("Bob 1"), owner, leaseUntil)).toMatchObject({ shared: sharing.not });
      expect(await line.take({ worker: "other", now })).toBe("");
      const alone = { worker: "quarantine", takes: "suspects", withoutFetches: false, onlyNewcomers: false } as const;
      expect(await queue.claim({ ...alone, now, leaseUntil })).toMatchObject({ transcription_id: id, crashes: 0, shared: 0 });
      await takeBackPieces(db, id);
      expect(await hasSuspectPiece(db, id)).toBe(true);
      expect(await leasePiece(db, { id, worker: "quarantine", leaseUntil, isHelp: false })).toMatchObject({ idx: 2 });
      expect(await finish(db, id, 2, "quarantine")).toBe(true);
      expect(await hasSuspectPiece(db, id)).toBe(false);
      expect(await leasePiece(db, { id, worker: "quarantine", leaseUntil, isHelp: false })).toMatchObject({ idx: 0 });
    });

    test("at which another worker has failed are left to the job's own", async () => {
      const { db, id } = await files("Ann 1");
      await offerPieces(db, id, owner);
      await help(db, id);
      await releasePiece(db, { id, idx: 0 }, "helper", reserved.forOwner);
      expect(await help(db, id)).toMatchObject({ idx: 1 });
      expect(await own(db, id)).toMatchObject({ idx: 0 });
    });

    test("of the person of whom the fewest are heard are the next", async () => {
      const { db, line } = await files("Ann 1", "Ann 2", "Bob 1", "Cid 1");
      const listed = async () => (await listShareable(db, "helper", now)).map(({ id }) => titleOf(id));
      const titleOf = (id: string) => ["Ann 1", "Ann 2", "Bob 1", "Cid 1"].find((title) => line.id(title) === id);
      expect(await listed()).toEqual(["Ann 1", "Bob 1", "Cid 1", "Ann 2"]);
      await own(db, line.id("Ann 1"));
      expect(await listed()).toEqual(["Bob 1", "Cid 1", "Ann 1", "Ann 2"]);
      await own(db, line.id("Bob 1"));
      await own(db, line.id("Bob 1"));
      expect(await listed()).toEqual(["Cid 1", "Ann 1", "Ann 2", "Bob 1"]);
      // Not one's own, nor what is suspect, paused or of somebody whose lease has expired.
      expect(await listShareable(db, owner, now)).toEqual([]);
      expect(await listShareable(db, "helper", leaseUntil)).toEqual([]);
      await pauseJob(db, line.id("Cid 1"), true);
      await suspectJobsOf(db, owner, { at: now });
      expect(await listShareable(db, "helper", now)).toEqual([]);
    });
  });
}

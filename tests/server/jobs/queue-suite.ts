import { randomUUID } from "node:crypto";
import { describe, expect, onTestFinished, test } from "vitest";
import { addUser } from "#server/account/create-user.ts";
import type { Db } from "#server/db/open.ts";
import { interruptedMs, keepJob, noteProgress, releaseJob } from "#server/jobs/claim-queries.ts";
import { storePiece, storePlan } from "#server/jobs/piece-queries.ts";
import { enqueueJob, isLeased, type JobRow, pauseJob, removeJob } from "#server/jobs/queries.ts";
import type { Delivery, JobQueue } from "#server/jobs/queue.ts";
import { failJob } from "#server/processing/failure.ts";
import { insertTranscription, waitingToBeMade } from "#server/transcription/queries.ts";
import { addFetch } from "#server/uploads/fetch-queries.ts";
import { updateUser } from "#server/users/queries.ts";
import { eventually } from "#tests/server/harness.ts";

interface Opened {
  db: Db;
  queue: JobQueue;
  /** Lets the queue believe that its workers have been silent for long. */
  silence(): Promise<void>;
  close(): Promise<void>;
}

/** A time at which every job is due (epoch ms). */
const due = 2_000_000_000_000;
/** Length of the leases in these tests (ms). */
const leaseMs = 15_000;

interface Options {
  isUrgent?: boolean;
  hasUrl?: boolean;
}

/** People, their files and the workers that take them. A job is named by its title. */
export class Line {
  readonly db: Db;
  readonly queue: JobQueue;
  #clock = 1_700_000_000_000;
  readonly #people = new Map<string, string>();
  readonly #ids = new Map<string, string>();
  /** The last claim of each job, by title. */
  readonly #claimed = new Map<string, Delivery>();

  constructor({ db, queue }: Pick<Opened, "db" | "queue">) {
    this.db = db;
    this.queue = queue;
  }

  id(title: string): string {
    return this.#ids.get(title) ?? "";
  }

  async person(name: string): Promise<string> {
    const known = this.#people.get(name);
    if (known !== undefined) return known;
    const about = { email: `${randomUUID()}@example.org`, name, language: "en", password_hash: "" } as const;
    const { id } = await addUser(this.db, about, this.#clock);
    this.#people.set(name, id);
    return id;
  }

  /** Adds a job. The first word of the title is the person: "Ann 1". */
  async add(title: string, options: Options = {}): Promise<void> {
    const userId = await this.person(title.split(" ")[0] ?? "");
    await this.db.transaction().execute((t) => this.#insert(t, userId, title, options));
  }

  async addMany(...titles: string[]): Promise<void> {
    for (const title of titles) await this.add(title);
  }

  /** Adds a job in a transaction that fails at its end. */
  async addInVain(title: string): Promise<void> {
    const userId = await this.person(title.split(" ")[0] ?? "");
    const adding = this.db.transaction().execute(async (t) => {
      await this.#insert(t, userId, title, {});
      throw new Error("no");
    });
    await expect(adding).rejects.toThrow("no");
  }

  async #insert(t: Db, userId: string, title: string, { isUrgent = false, hasUrl = false }: Options): Promise<void> {
    const id = randomUUID();
    const at = this.#clock++;
    this.#ids.set(title, id);
    await insertTranscription(t, {
      ...waitingToBeMade,
      id,
      client_id: id,
      user_id: userId,
      recording_id: null,
      title,
      source_language: "en",
      target_language: null,
      date: at,
      origin: "upload",
      audio_type: null,
      file_name: null,
    });
    if (hasUrl) await addFetch(t, id, "https://example.org/a.mp3");
    await enqueueJob(t, id, at, { isUrgent });
  }

  /**
   * Claims a job.
   * @returns its row; undefined when none is due
   */
  async claim({ now = due, ...only }: { now?: number } & Partial<Record<Skip, boolean>> = {}): Promise<JobRow | undefined> {
    const wanted = { withoutFetches: false, onlyNewcomers: false, ...only, now, leaseUntil: now + leaseMs };
    const delivery = await this.queue.claim(wanted);
    if (delivery !== undefined) this.#claimed.set(this.title(delivery.job), delivery);
    return delivery?.job;
  }

  /**
   * Claims a job.
   * @returns its title; "" when none is due
   */
  async take(options: Parameters<Line["claim"]>[0] = {}): Promise<string> {
    return this.title(await this.claim(options));
  }

  title(job: JobRow | undefined): string {
    return [...this.#ids].find(([, id]) => id === job?.transcription_id)?.[0] ?? "";
  }

  async finish(title: string): Promise<void> {
    await removeJob(this.db, this.id(title));
    await this.#claimed.get(title)?.settle();
  }

  async release(title: string, failed?: Parameters<typeof releaseJob>[2]): Promise<void> {
    const claimed = this.#claimed.get(title);
    if (claimed === undefined) throw new Error(`${title} was not claimed.`);
    await releaseJob(this.db, claimed.job, failed);
    await claimed.settle();
  }

  /** Takes and finishes all jobs one after another, as a single worker does. */
  async takeAll(): Promise<string[]> {
    const titles: string[] = [];
    for (let title = await this.take(); title !== ""; title = await this.take()) {
      titles.push(title);
      await this.finish(title);
    }
    return titles;
  }
}

type Skip = "withoutFetches" | "onlyNewcomers";

/**
 * Tests of every kind of queue.
 * @param open opens the queue on an empty database
 */
export function describeQueue(name: string, open: () => Promise<Opened>): void {
  const line = async () => {
    const opened = await open();
    onTestFinished(opened.close);
    return new Line(opened);
  };

  describe(`the queue of ${name}`, () => {
    test("gives each job to one worker although four ask at the same time", async () => {
      const jobs = await line();
      const titles = Array.from({ length: 12 }, (_, i) => `Ann ${i + 10}`);
      await jobs.addMany(...titles);
      const taken: string[] = [];
      const worker = async () => {
        for (let title = await jobs.take(); title !== ""; title = await jobs.take()) taken.push(title);
      };
      await Promise.all(Array.from({ length: 4 }, worker));
      expect(taken.toSorted()).toEqual(titles);
    });

    // PROMISE limits: One person never keeps the others waiting
    test("one person's file does not wait for another person's hundred files", async () => {
      const jobs = await line();
      await jobs.addMany(...Array.from({ length: 100 }, (_, i) => `Ann ${i}`));
      expect(await jobs.take()).toBe("Ann 0");
      await jobs.add("Bob 0");
      expect(await jobs.take()).toBe("Bob 0");
      expect(await jobs.take()).toBe("Ann 1");
    });

    test("serves people in rotation and each person's files in their order", async () => {
      const jobs = await line();
      await jobs.addMany("Ann 1", "Ann 2", "Ann 3", "Ann 4", "Bob 1", "Cid 1", "Cid 2");
      expect(await jobs.takeAll()).toEqual(["Ann 1", "Bob 1", "Cid 1", "Ann 2", "Cid 2", "Ann 3", "Ann 4"]);
    });

    test("a person who adds jobs again and again does not overtake waiting people", async () => {
      const jobs = await line();
      await jobs.addMany("Ann 1", "Ann 2", "Ann 3");
      const order: string[] = [];
      for (let round = 1; round <= 4; round++) {
        await jobs.add(`Bob ${round}`);
        for (const title of [await jobs.take(), await jobs.take()]) {
          order.push(title);
          if (title !== "") await jobs.finish(title);
        }
      }
      expect(order.indexOf("Ann 3")).toBeLessThan(order.indexOf("Bob 4"));
    });

    test("takes the rest of a dictation before all files", async () => {
      const jobs = await line();
      await jobs.addMany("Ann 1", "Ann 2", "Bob 1");
      await jobs.add("Ann dictated", { isUrgent: true });
      expect(await jobs.takeAll()).toEqual(["Ann dictated", "Ann 1", "Bob 1", "Ann 2"]);
    });

    test("retries a failed job when it is due, after the person's other waiting jobs", async () => {
      const jobs = await line();
      await jobs.addMany("Ann 1", "Ann 2", "Bob 1");
      expect(await jobs.take()).toBe("Ann 1");
      await jobs.release("Ann 1", { attempts: 1, runAfter: due + 5_000 });
      expect(await jobs.takeAll()).toEqual(["Bob 1", "Ann 2"]);
      expect(await jobs.take()).toBe("");
      expect(await jobs.claim({ now: due + 5_000 })).toMatchObject({ transcription_id: jobs.id("Ann 1"), attempts: 1 });
    });

    test("keeps the place of a job that a worker hands back", async () => {
      const jobs = await line();
      await jobs.addMany("Ann 1", "Ann 2", "Bob 1", "Bob 2");
      expect([await jobs.take(), await jobs.take()]).toEqual(["Ann 1", "Bob 1"]);
      await jobs.release("Ann 1");
      await jobs.finish("Bob 1");
      expect(await jobs.takeAll()).toEqual(["Ann 1", "Ann 2", "Bob 2"]);
    });

    test("a busy worker takes only jobs of newcomers and dictations", async () => {
      const jobs = await line();
      await jobs.addMany("Ann 1", "Ann 2", "Ann 3", "Bob 1", "Bob 2");
      expect(await jobs.take()).toBe("Ann 1");
      const busy = { onlyNewcomers: true };
      expect(await jobs.take(busy)).toBe("Bob 1");
      expect(await jobs.take(busy)).toBe("");
      await jobs.add("Ann dictated", { isUrgent: true });
      expect(await jobs.take(busy)).toBe("Ann dictated");
      await jobs.finish("Bob 1");
      expect(await jobs.take(busy)).toBe("Bob 2");
    });

    test("skips jobs that need a download when the worker downloads enough already", async () => {
      const jobs = await line();
      await jobs.add("Ann far", { hasUrl: true });
      await jobs.add("Ann near");
      expect(await jobs.take({ withoutFetches: true })).toBe("Ann near");
      expect(await jobs.take({ withoutFetches: true })).toBe("");
      expect(await jobs.take()).toBe("Ann far");
    });

    test("limits the simultaneous downloads of one person", async () => {
      const jobs = await line();
      for (const n of [1, 2, 3, 4, 5, 6]) await jobs.add(`Ann ${n}`, { hasUrl: true });
      await jobs.add("Bob 1", { hasUrl: true });
      const taken = [];
      for (let title = await jobs.take(); title !== ""; title = await jobs.take()) taken.push(title);
      expect(taken.toSorted()).toEqual(["Ann 1", "Ann 2", "Ann 3", "Ann 4", "Bob 1"]);
      await jobs.finish("Ann 2");
      expect(await jobs.take()).toBe("Ann 5");
    });

    test("holds back jobs that are paused or of blocked people, and hands them out afterwards", async () => {
      const jobs = await line();
      await jobs.addMany("Ann gone", "Ann paused", "Bob blocked", "Cid free");
      const bob = await jobs.person("Bob");
      await removeJob(jobs.db, jobs.id("Ann gone"));
      await pauseJob(jobs.db, jobs.id("Ann paused"), true);
      await updateUser(jobs.db, bob, { blocked_at: 1 });
      expect(await jobs.takeAll()).toEqual(["Cid free"]);
      await pauseJob(jobs.db, jobs.id("Ann paused"), false);
      await updateUser(jobs.db, bob, { blocked_at: null });
      const later = await jobs.takeAll();
      expect(later.toSorted()).toEqual(["Ann paused", "Bob blocked"]);
    });

    test("hands out jobs again that were paused or blocked after they got their rank", async () => {
      const jobs = await line();
      await jobs.addMany("Ann 1", "Ann 2", "Bob 1");
      expect(await jobs.take()).toBe("Ann 1");
      // All jobs have their rank by now.
      await pauseJob(jobs.db, jobs.id("Ann 2"), true);
      await updateUser(jobs.db, await jobs.person("Bob"), { blocked_at: 1 });
      expect(await jobs.take()).toBe("");
      await pauseJob(jobs.db, jobs.id("Ann 2"), false);
      await updateUser(jobs.db, await jobs.person("Bob"), { blocked_at: null });
      expect([await jobs.take(), await jobs.take()].toSorted()).toEqual(["Ann 2", "Bob 1"]);
    });

    test("does not know a job whose transaction failed", async () => {
      const jobs = await line();
      await jobs.addInVain("Ann 1");
      await jobs.add("Ann 2");
      expect(await jobs.takeAll()).toEqual(["Ann 2"]);
    });

    test("hands out a dead worker's job after its lease and counts interruptions until there is progress", async () => {
      const opened = await open();
      onTestFinished(opened.close);
      const jobs = new Line(opened);
      await jobs.add("Ann 1");
      const first = await jobs.claim();
      expect(first).toMatchObject({ interruptions: 0, attempts: 0 });
      let now = due;
      /** @param waitMs ms after the end of the lease */
      const next = async (waitMs: number) => {
        await opened.silence();
        now += leaseMs + waitMs;
        expect(await jobs.claim({ now: now - 1 })).toBeUndefined();
        // pg-boss checks only now and then for silent workers.
        return eventually(
          () => jobs.claim({ now }),
          (job) => job !== undefined,
        );
      };
      expect(await next(0)).toMatchObject({ interruptions: 1, attempts: 0 });
      expect(await next(interruptedMs)).toMatchObject({ interruptions: 2, attempts: 0 });
      const third = await next(2 * interruptedMs);
      expect(third).toMatchObject({ interruptions: 3 });
      if (first === undefined || third === undefined) throw new Error("nothing was claimed");
      // A worker that has lost the job changes nothing.
      await noteProgress(jobs.db, first);
      expect((await jobs.db.selectFrom("jobs").select("interruptions").execute())[0]).toEqual({ interruptions: 3 });
      await noteProgress(jobs.db, third);
      expect(await next(0)).toMatchObject({ interruptions: 1 });
    });

    test("a worker that lost its lease can neither store results nor end the job", async () => {
      const opened = await open();
      onTestFinished(opened.close);
      const jobs = new Line(opened);
      await jobs.add("Ann 1");
      const lost = await jobs.claim();
      await opened.silence();
      const own = await eventually(
        () => jobs.claim({ now: due + leaseMs }),
        (job) => job !== undefined,
      );
      if (lost === undefined || own === undefined) throw new Error("nothing was claimed");
      const { db } = jobs;
      await storePlan(db, own, {
        samples: 100,
        truncated: false,
        hasHoles: false,
        pieces: [{ index: 0, startSample: 0, endSample: 100, speech: true }],
      });
      expect([await isLeased(db, lost), await keepJob(db, lost, due), await storePiece(db, lost, 0, [])]).toEqual([
        false,
        false,
        false,
      ]);
      expect(await releaseJob(db, lost)).toBe(false);
      const storage = { removePcm: async () => expect.fail("the sound is deleted under the worker that has the job now") };
      await failJob({ db, storage }, lost.transcription_id, { code: "engineFailed", message: "It failed." }, lost);
      await noteProgress(db, own);
      expect([await isLeased(db, own), await keepJob(db, own, due), await storePiece(db, own, 0, [])]).toEqual([
        true,
        true,
        true,
      ]);
      expect(await jobs.db.selectFrom("jobs").select("interruptions").executeTakeFirst()).toEqual({ interruptions: 0 });
    });
  });
}

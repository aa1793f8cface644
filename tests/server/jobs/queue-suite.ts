import { randomUUID } from "node:crypto";
import { describe, expect, onTestFinished, test } from "vitest";
import { addUser } from "#server/account/create-user.ts";
import type { Db } from "#server/db/open.ts";
import { keepJob, releaseJob } from "#server/jobs/claim-queries.ts";
import { enqueueJob, type JobRow, pauseJob, removeJob } from "#server/jobs/queries.ts";
import type { JobQueue } from "#server/jobs/queue.ts";
import { suspectJobsOf } from "#server/jobs/suspect-queries.ts";
import { insertTranscription, waitingToBeMade } from "#server/transcription/queries.ts";
import { addFetch } from "#server/uploads/fetch-queries.ts";
import { updateUser } from "#server/users/queries.ts";

interface Opened {
  db: Db;
  queue: JobQueue;
  close(): Promise<void>;
}

/** A time at which all is due. */
const due = 2_000_000_000_000;

interface Options {
  isUrgent?: boolean;
  hasUrl?: boolean;
}

/** People, their files, and workers that take them. A job is called by its title. */
export class Line {
  readonly db: Db;
  readonly queue: JobQueue;
  #clock = 1_700_000_000_000;
  readonly #people = new Map<string, string>();
  readonly #ids = new Map<string, string>();

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

  /** "Ann 1": the first word is the person's. */
  async add(title: string, options: Options = {}): Promise<void> {
    const userId = await this.person(title.split(" ")[0] ?? "");
    await this.db.transaction().execute((t) => this.#insert(t, userId, title, options));
  }

  async addMany(...titles: string[]): Promise<void> {
    for (const title of titles) await this.add(title);
  }

  /** Its transaction fails at the end. */
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

  async claim({ worker = "w", now = due, ...only }: { worker?: string; now?: number } & Partial<Record<Skip, boolean>> = {}) {
    const lease = { now, leaseUntil: now + 15_000 };
    const skips = { withoutFetches: false, onlyNewcomers: false, ...only };
    return this.queue.claim({ worker, takes: "unsuspected", ...skips, ...lease });
  }

  /** The title of the job that is claimed; "": there was none. */
  async take(options: Parameters<Line["claim"]>[0] = {}): Promise<string> {
    return this.title(await this.claim(options));
  }

  title(job: JobRow | undefined): string {
    return [...this.#ids].find(([, id]) => id === job?.transcription_id)?.[0] ?? "";
  }

  async finish(title: string): Promise<void> {
    await removeJob(this.db, this.id(title));
    await this.queue.settle(this.id(title));
  }

  async release(title: string, change: Parameters<typeof releaseJob>[3] = {}, worker = "w"): Promise<void> {
    await releaseJob(this.db, this.id(title), worker, change);
    await this.queue.settle(this.id(title));
  }

  /** One after the other, as a single worker makes them. */
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

/** What every queue does. @param open on an empty database */
export function describeQueue(name: string, open: () => Promise<Opened>): void {
  const line = async () => {
    const opened = await open();
    onTestFinished(opened.close);
    return new Line(opened);
  };

  describe(`the queue of ${name}`, () => {
    test("gives each job to one worker, however many ask at the same time", async () => {
      const jobs = await line();
      const titles = Array.from({ length: 12 }, (_, i) => `Ann ${i + 10}`);
      await jobs.addMany(...titles);
      const workers = Array.from({ length: 4 }, (_, i) => `w${i}`);
      const taken: string[] = [];
      await Promise.all(
        workers.map(async (worker) => {
          for (let title = await jobs.take({ worker }); title !== ""; title = await jobs.take({ worker })) taken.push(title);
        }),
      );
      expect(taken.toSorted()).toEqual(titles);
    });

    // PROMISE limits: One person never keeps the others waiting
    test("does not keep one person's file waiting for another's hundred", async () => {
      const jobs = await line();
      await jobs.addMany(...Array.from({ length: 100 }, (_, i) => `Ann ${i}`));
      expect(await jobs.take()).toBe("Ann 0");
      await jobs.add("Bob 0");
      expect(await jobs.take()).toBe("Bob 0");
      expect(await jobs.take()).toBe("Ann 1");
    });

    test("serves people in rotation, and each person's files in their order", async () => {
      const jobs = await line();
      await jobs.addMany("Ann 1", "Ann 2", "Ann 3", "Ann 4", "Bob 1", "Cid 1", "Cid 2");
      expect(await jobs.takeAll()).toEqual(["Ann 1", "Bob 1", "Cid 1", "Ann 2", "Cid 2", "Ann 3", "Ann 4"]);
    });

    test("lets nobody who comes again and again overtake those who wait", async () => {
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

    test("has the rest of a dictation before all files", async () => {
      const jobs = await line();
      await jobs.addMany("Ann 1", "Ann 2", "Bob 1");
      await jobs.add("Ann dictated", { isUrgent: true });
      expect(await jobs.takeAll()).toEqual(["Ann dictated", "Ann 1", "Bob 1", "Ann 2"]);
    });

    test("tries again what has failed when its time has come, behind what that person has waiting", async () => {
      const jobs = await line();
      await jobs.addMany("Ann 1", "Ann 2", "Bob 1");
      expect(await jobs.take()).toBe("Ann 1");
      await jobs.release("Ann 1", { failures: 1, runAfter: due + 5_000 });
      expect(await jobs.takeAll()).toEqual(["Bob 1", "Ann 2"]);
      expect(await jobs.take()).toBe("");
      expect(await jobs.claim({ now: due + 5_000 })).toMatchObject({ transcription_id: jobs.id("Ann 1"), failures: 1 });
    });

    test("keeps the turn of what a worker hands back", async () => {
      const jobs = await line();
      await jobs.addMany("Ann 1", "Ann 2", "Bob 1", "Bob 2");
      expect([await jobs.take(), await jobs.take()]).toEqual(["Ann 1", "Bob 1"]);
      await jobs.release("Ann 1");
      await jobs.finish("Bob 1");
      expect(await jobs.takeAll()).toEqual(["Ann 1", "Ann 2", "Bob 2"]);
    });

    test("has room for newcomers and dictations alone when a worker is busy with long files", async () => {
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

    test("skips what has to be downloaded where a worker downloads enough already", async () => {
      const jobs = await line();
      await jobs.add("Ann far", { hasUrl: true });
      await jobs.add("Ann near");
      expect(await jobs.take({ withoutFetches: true })).toBe("Ann near");
      expect(await jobs.take({ withoutFetches: true })).toBe("");
      expect(await jobs.take()).toBe("Ann far");
    });

    test("hands out nothing that is deleted, paused, suspect or a blocked person's, and all of it when that is over", async () => {
      const jobs = await line();
      await jobs.addMany("Ann gone", "Ann paused", "Ann suspect", "Bob blocked", "Cid free");
      const bob = await jobs.person("Bob");
      await removeJob(jobs.db, jobs.id("Ann gone"));
      await pauseJob(jobs.db, jobs.id("Ann paused"), true);
      await jobs.db.updateTable("jobs").set({ suspect: 1 }).where("transcription_id", "=", jobs.id("Ann suspect")).execute();
      await updateUser(jobs.db, bob, { blocked_at: 1 });
      expect(await jobs.takeAll()).toEqual(["Cid free"]);
      await pauseJob(jobs.db, jobs.id("Ann paused"), false);
      await updateUser(jobs.db, bob, { blocked_at: null });
      const later = await jobs.takeAll();
      expect(later.toSorted()).toEqual(["Ann paused", "Bob blocked"]);
      const suspects = { worker: "q", takes: "suspects", withoutFetches: false, onlyNewcomers: false } as const;
      expect(jobs.title(await jobs.queue.claim({ ...suspects, now: due, leaseUntil: due }))).toBe("Ann suspect");
    });

    test("hands out what a blocked or deleted person's pause has held after it was lined up already", async () => {
      const jobs = await line();
      await jobs.addMany("Ann 1", "Ann 2", "Bob 1");
      expect(await jobs.take()).toBe("Ann 1");
      // All are lined up by now.
      await pauseJob(jobs.db, jobs.id("Ann 2"), true);
      await updateUser(jobs.db, await jobs.person("Bob"), { blocked_at: 1 });
      expect(await jobs.take()).toBe("");
      await pauseJob(jobs.db, jobs.id("Ann 2"), false);
      await updateUser(jobs.db, await jobs.person("Bob"), { blocked_at: null });
      expect([await jobs.take(), await jobs.take()].toSorted()).toEqual(["Ann 2", "Bob 1"]);
    });

    test("knows nothing of a job whose transaction has failed", async () => {
      const jobs = await line();
      await jobs.addInVain("Ann 1");
      await jobs.add("Ann 2");
      expect(await jobs.takeAll()).toEqual(["Ann 2"]);
    });

    test("does not hand a dead worker's job to the others, but to who runs suspects alone", async () => {
      const jobs = await line();
      await jobs.add("Ann 1");
      expect(await jobs.take({ worker: "dead" })).toBe("Ann 1");
      expect(await keepJob(jobs.db, jobs.id("Ann 1"), "dead", due)).toBeDefined();
      await suspectJobsOf(jobs.db, "dead", { at: due });
      expect(await keepJob(jobs.db, jobs.id("Ann 1"), "dead", due)).toBeUndefined();
      expect(await jobs.take()).toBe("");
      const suspects = { worker: "q", takes: "suspects", withoutFetches: false, onlyNewcomers: false } as const;
      const alone = await jobs.queue.claim({ ...suspects, now: due, leaseUntil: due });
      expect(alone).toMatchObject({ transcription_id: jobs.id("Ann 1"), crashes: 0, kills: 0 });
    });
  });
}

import { describe, expect, test } from "vitest";
import { ScheduledStatus } from "#contract/index.ts";
import type { Generator } from "#server/blog-admin/generator.ts";
import { Problem } from "#server/errors/problem.ts";
import { databaseUrl, openSql, openTestDb } from "#tests/server/database.ts";
import {
  eventually,
  type Person,
  read,
  refusal,
  signInAgain,
  signUp,
  startTestServer,
  temporaryFolder,
  testClock,
} from "#tests/server/harness.ts";
import { signUpSuperuser } from "#tests/server/superuser.ts";
import { pen, quickPen, startThread, written } from "./harness.ts";

const hour = 60 * 60_000;
const day = 24 * hour;
/** The test clock starts at noon, so the next run is tomorrow. */
const BLOG_SCHEDULE = "0 7 * * *";
const first = "2026-03-02T07:00:00.000Z";
const untilFirst = Date.parse(first) - testClock().now();

const statusOf = async (person: Person) => read(await person.call("GET", "/admin/blog/scheduled-status"), 200, ScheduledStatus);
const trigger = async (person: Person) => read(await person.call("POST", "/admin/blog/trigger-scheduled"), 202, ScheduledStatus);
const skip = async (person: Person, body?: { skip: boolean }) =>
  read(await person.call("POST", "/admin/blog/skip-next-scheduled", body), 200, ScheduledStatus);
const settledStatus = (person: Person) =>
  eventually(
    () => statusOf(person),
    ({ status }) => status !== "running",
  );

/** Titles that readers can see. */
function titlesOf({ dataDir }: { dataDir: string }): unknown[] {
  using db = openSql(dataDir);
  const rows = db.prepare("select title from blog_posts where status = 'published' and generated = 1 order by title").all();
  return rows.map(({ title }) => title);
}

async function start(generator: Generator = quickPen(), env: Record<string, string> = { BLOG_SCHEDULE }) {
  const clock = testClock();
  const server = await startTestServer({ now: clock.now, env, generator });
  return { clock, server, person: await signUpSuperuser(server) };
}

describe("scheduled posting", () => {
  // SPEC 3: "Scheduled blog posting status:"
  // SPEC 7 Blog, admin (Bearer): "GET /admin/blog/scheduled-status"
  test("posts once when a run is due and records it", async () => {
    const { clock, server, person } = await start();
    expect(await statusOf(person)).toMatchObject({
      enabled: true,
      nextRunTime: first,
      followingRunTime: "2026-03-03T07:00:00.000Z",
      lastRunTime: null,
      postsGenerated: 0,
      postsSkipped: 0,
      status: "idle",
      errorMessage: null,
      canWrite: true,
      history: [],
    });
    clock.advance(untilFirst - 1);
    await server.postDue();
    expect(titlesOf(server)).toEqual([]);
    clock.advance(1);
    await server.postDue();
    await server.postDue();
    expect(titlesOf(server)).toEqual(["Post 1"]);
    const status = await statusOf(await signInAgain(server, person));
    expect(status).toMatchObject({ nextRunTime: "2026-03-03T07:00:00.000Z", lastRunTime: first, postsGenerated: 1 });
    expect(status.history).toMatchObject([
      { origin: "schedule", outcome: "posted", dueTime: first, finishedTime: first, post: { title: "Post 1", slug: "post-1" } },
    ]);
  });

  test("writes scheduled posts in the configured language on the configured subject", async () => {
    const { generator, asks } = pen();
    const env = { BLOG_SCHEDULE, BLOG_SCHEDULE_LANGUAGE: "pt-BR", BLOG_SCHEDULE_ABOUT: "voices" };
    const { person } = await start(generator, env);
    await trigger(person);
    await expect.poll(() => asks).toMatchObject([{ language: "pt-BR", hint: "voices" }]);
  });

  // PROMISE blog: Several servers post once by the schedule, and another one replaces a dead one
  test("posts once for each run although three servers share the database", async () => {
    const clock = testClock();
    const dataDir = await temporaryFolder();
    await (await openTestDb(dataDir)).destroy();
    const threads = ["a", "b", "c"].map((name) =>
      startThread({ dataDir, url: databaseUrl(dataDir), name, expression: BLOG_SCHEDULE }),
    );
    const postAll = () => Promise.all(threads.map((thread) => thread(clock.now())));
    await postAll();
    for (let times = 1; times <= 2; times++) {
      clock.advance(day);
      await postAll();
      expect(titlesOf({ dataDir })).toHaveLength(times);
    }
  });

  test("keeps the next run and its skip across a restart, unless the schedule has changed", async () => {
    const { clock, server, person } = await start();
    await skip(person);
    await server.close();
    clock.advance(hour);
    const options = { now: clock.now, dataDir: server.dataDir, generator: quickPen() };
    const again = await startTestServer({ ...options, env: { BLOG_SCHEDULE } });
    const superuser = await signInAgain(again, person);
    expect(await statusOf(superuser)).toMatchObject({ nextRunTime: first, skipsNext: true });
    await again.close();
    const changed = await startTestServer({ ...options, env: { BLOG_SCHEDULE: "30 14 * * *" } });
    expect(await statusOf(await signInAgain(changed, person))).toMatchObject({
      nextRunTime: "2026-03-01T14:30:00.000Z",
      skipsNext: false,
    });
    await changed.close();
    const off = await startTestServer({ ...options, env: {} });
    expect(await statusOf(await signInAgain(off, person))).toMatchObject({ enabled: false, nextRunTime: null });
  });

  test.each([
    ["is made up for while the next one is not due", 23 * hour, "posted", null],
    ["is skipped when the next one is due, too", 24 * hour, "skipped", "missed"],
  ])("a missed scheduled run %s", async (_, down, outcome, reason) => {
    const { clock, server, person } = await start();
    await server.close();
    clock.advance(untilFirst + down);
    const again = await startTestServer({
      now: clock.now,
      dataDir: server.dataDir,
      env: { BLOG_SCHEDULE },
      generator: quickPen(),
    });
    await again.postDue();
    const { history, nextRunTime } = await statusOf(await signInAgain(again, person));
    expect(history).toMatchObject([{ dueTime: first, outcome, reason }]);
    expect(Date.parse(nextRunTime ?? "")).toBeGreaterThan(clock.now());
  });
});

describe("failures of scheduled posting", () => {
  // PROMISE blog: Several servers post once by the schedule, and another one replaces a dead one
  test("another server takes over a dead server's run and the late answer is ignored", async () => {
    const [first, second] = [pen(), pen()];
    const { clock, server, person } = await start(first.generator);
    const options = { now: clock.now, env: { BLOG_SCHEDULE }, dataDir: server.dataDir };
    await trigger(person);
    await expect.poll(() => first.asks.length).toBe(1);
    // The other server starts only now; earlier it might have claimed the run first.
    const other = await startTestServer({ ...options, generator: second.generator });
    await other.postDue();
    expect(second.asks).toEqual([]);
    clock.advance(60_000);
    void other.postDue();
    await expect.poll(() => second.asks.length).toBe(1);
    second.asks[0]?.answer("The second's");
    await settledStatus(person);
    first.asks[0]?.answer("The first's");
    await server.postDue();
    expect(titlesOf(server)).toEqual(["The second's"]);
    expect(await statusOf(person)).toMatchObject({ postsGenerated: 1, status: "idle", history: [{ outcome: "posted" }] });
  });

  test("gives up a run that has ended the server three times and schedules the next one", async () => {
    const pens = [pen(), pen(), pen()];
    const { clock, server, person } = await start(quickPen());
    await server.close();
    clock.advance(untilFirst);
    const options = { now: clock.now, env: { BLOG_SCHEDULE }, dataDir: server.dataDir };
    for (const { generator, asks } of pens) {
      await startTestServer({ ...options, generator });
      await expect.poll(() => asks.length).toBe(1);
      clock.advance(60_000);
    }
    const last = await startTestServer({ ...options, generator: quickPen() });
    await last.postDue();
    expect(await statusOf(await signInAgain(last, person))).toMatchObject({
      status: "error",
      history: [{ outcome: "failed", reason: "interrupted" }],
      nextRunTime: "2026-03-03T07:00:00.000Z",
    });
    expect(titlesOf(last)).toEqual([]);
  });

  test("repeats a stopped server's run at the next start without waiting", async () => {
    const { generator, asks } = pen();
    const { clock, server, person } = await start(generator);
    await trigger(person);
    await expect.poll(() => asks.length).toBe(1);
    await server.close();
    const again = await startTestServer({ now: clock.now, env: {}, dataDir: server.dataDir, generator: quickPen() });
    await again.postDue();
    expect(titlesOf(again)).toEqual(["Post 1"]);
  });

  test.each([
    ["no new topic", new Problem("noNewTopic"), "skipped", "nothingNew", "idle", null],
    ["a missing model", new Problem("chatUnavailable"), "skipped", "noModel", "idle", null],
    ["a failing model", new Problem("chatFailed", "It is out."), "failed", "modelFailed", "error", "It is out."],
    ["an internal error", new Error("secret"), "failed", "internal", "error", "Something went wrong on the server."],
  ])("reports %s in the history of runs", async (_, error, outcome, reason, status, errorMessage) => {
    const { person } = await start(pen(() => Promise.reject(error)).generator);
    await trigger(person);
    const after = await settledStatus(person);
    expect(after).toMatchObject({ status, errorMessage, history: [{ origin: "person", outcome, reason, post: null }] });
    expect(after.postsSkipped).toBe(outcome === "skipped" ? 1 : 0);
  });

  test("records a run as failed when the generated post is invalid", async () => {
    const { person } = await start(pen(async () => written("")).generator);
    await trigger(person);
    expect(await settledStatus(person)).toMatchObject({ history: [{ outcome: "failed", reason: "internal" }] });
  });

  test("skips each scheduled run without a language model and gives the reason", async () => {
    const clock = testClock();
    const server = await startTestServer({ now: clock.now, env: { BLOG_SCHEDULE } });
    const person = await signUpSuperuser(server);
    expect(await trigger(person)).toMatchObject({ canWrite: false, history: [{ outcome: "skipped", reason: "noModel" }] });
    clock.advance(untilFirst);
    await server.postDue();
    expect(await statusOf(await signInAgain(server, person))).toMatchObject({
      postsSkipped: 2,
      status: "idle",
      history: [{ origin: "schedule", reason: "noModel" }, { origin: "person" }],
    });
  });
});

describe("superuser's control of scheduled posting", () => {
  // SPEC 7 Blog, admin (Bearer): "POST /admin/blog/trigger-scheduled"
  test("a superuser can start one run at a time without waiting for its end", async () => {
    const { generator, asks } = pen();
    const { server, person } = await start(generator, {});
    expect(await trigger(person)).toMatchObject({ enabled: false, status: "running", history: [{ outcome: "running" }] });
    expect((await trigger(person)).history).toHaveLength(1);
    await expect.poll(() => asks.length).toBe(1);
    asks[0]?.answer("Now");
    expect(await settledStatus(person)).toMatchObject({ postsGenerated: 1, history: [{ outcome: "posted" }] });
    expect(titlesOf(server)).toEqual(["Now"]);
  });

  // SPEC 7 Blog, admin (Bearer): "POST /admin/blog/skip-next-scheduled"
  // PROMISE blog: Several servers post once by the schedule, and another one replaces a dead one
  test("a superuser can skip the next run and undo that", async () => {
    const { clock, server, person } = await start();
    expect(await skip(person)).toMatchObject({ skipsNext: true, nextRunTime: first });
    expect(await skip(person, { skip: false })).toMatchObject({ skipsNext: false });
    expect(await skip(person, { skip: true })).toMatchObject({ skipsNext: true });
    clock.advance(untilFirst);
    await server.postDue();
    expect(await statusOf(await signInAgain(server, person))).toMatchObject({
      postsSkipped: 1,
      skipsNext: false,
      nextRunTime: "2026-03-03T07:00:00.000Z",
      history: [{ outcome: "skipped", reason: "byPerson", dueTime: first }],
    });
    clock.advance(day);
    await server.postDue();
    expect(titlesOf(server)).toEqual(["Post 1"]);
  });

  test("refuses to skip a run when nothing is scheduled, and refuses invalid requests", async () => {
    const { person } = await start(quickPen(), {});
    expect(await refusal(await person.call("POST", "/admin/blog/skip-next-scheduled"))).toBe("409 conflict");
    expect(await refusal(await person.call("POST", "/admin/blog/skip-next-scheduled", { skip: "yes" }))).toBe("400 badRequest");
  });

  // SPEC 6: "AI generation, analytics, image upload, scheduled-post controls"
  test("refuses the control of scheduled posting to everybody who is no superuser", async () => {
    const { server } = await start();
    const person = await signUp(server);
    const calls = [
      ["GET", "/admin/blog/scheduled-status"],
      ["POST", "/admin/blog/trigger-scheduled"],
      ["POST", "/admin/blog/skip-next-scheduled"],
    ] as const;
    const message = { message: "Unauthorized: Admin access required", code: "adminRequired" };
    for (const [method, path] of calls) {
      for (const answer of [await person.call(method, path), await fetch(`${server.apiUrl}${path}`, { method })]) {
        expect([answer.status, await answer.json()]).toEqual([401, message]);
      }
    }
  });
});

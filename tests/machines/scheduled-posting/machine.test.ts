import { describe, expect, onTestFinished, test } from "vitest";
import { createActor, fromPromise, SimulatedClock } from "xstate";
import type { ScheduledRun } from "#contract/index.ts";
import {
  nextPollIn,
  type SeenStatus,
  scheduledPostingMachine,
  selectBegunRun,
  selectIsTriggering,
  selectIsWriting,
  selectSchedule,
  selectScheduleFailure,
  selectScheduleIsLoading,
  selectScheduleIsUnavailable,
  selectStaleness,
} from "#machines/scheduled-posting/machine.ts";
import { scheduled, seen } from "./harness.ts";

const error = (status: number, code: string) => Object.assign(new Error(code), { status, code });
const run = (outcome: ScheduledRun["outcome"], id = "1"): ScheduledRun => ({
  id,
  origin: "person",
  dueTime: "2026-03-01T12:00:00.000Z",
  finishedTime: null,
  outcome,
  reason: null,
  post: null,
});

/** Each call takes the next answer; an error is thrown. */
function start(answers: (SeenStatus | Error)[]) {
  const clock = new SimulatedClock();
  const asked: string[] = [];
  const next = async (what: string) => {
    asked.push(what);
    const answer = answers.shift();
    if (answer === undefined || answer instanceof Error) throw answer;
    return answer.status;
  };
  const machine = scheduledPostingMachine.provide({
    actors: {
      fetchStatus: fromPromise(() => next("status")),
      trigger: fromPromise(() => next("trigger")),
      skipNext: fromPromise(({ input }) => next(`skip ${input.skip}`)),
    },
  });
  const actor = createActor(machine, { clock, input: { now: () => scheduled.at } }).start();
  onTestFinished(() => void actor.stop());
  const settled = async (state: string) => expect.poll(() => JSON.stringify(actor.getSnapshot().value)).toContain(state);
  return { actor, clock, asked, settled };
}

async function opened(...answers: (SeenStatus | Error)[]) {
  const all = start([scheduled, ...answers]);
  all.actor.send({ type: "status.requested" });
  await all.settled("resting");
  return all;
}

describe("scheduled posting", () => {
  test("the schedule of posts makes no request before it is shown", () => {
    const { actor, asked } = start([]);
    expect(actor.getSnapshot().value).toBe("idle");
    expect(asked).toEqual([]);
  });

  // SPEC 8: "'Scheduled posting feature not yet implemented' messages"
  test("reports a server without scheduled posting (404), and may find it later", async () => {
    const { actor, settled } = start([error(404, "notFound"), scheduled]);
    actor.send({ type: "status.requested" });
    await settled("unavailable");
    expect(selectScheduleIsUnavailable(actor.getSnapshot())).toBe(true);
    actor.send({ type: "status.requested" });
    await settled("resting");
    expect(selectSchedule(actor.getSnapshot())).toEqual(scheduled);
  });

  test.each([
    [error(0, "network"), "scheduled-posting:network.fetch"],
    [error(500, "internal"), "errors.internal"],
  ])("the schedule of posts shows why it could not be loaded", async (failure, key) => {
    const { actor, settled } = start([failure]);
    actor.send({ type: "status.requested" });
    await settled("error");
    expect(selectScheduleFailure(actor.getSnapshot())).toBe(key);
  });

  test.each([
    ["trigger.requested", error(0, "network"), "scheduled-posting:network.trigger"],
    ["trigger.requested", error(401, "adminRequired"), "errors.adminRequired"],
    ["skip.requested", error(0, "network"), "scheduled-posting:network.skip"],
    ["skip.requested", error(409, "conflict"), "errors.conflict"],
  ] as const)("keeps the known status after %s failed, and shows the reason", async (type, failure, key) => {
    const { actor, settled } = await opened(failure);
    actor.send({ type, skip: true });
    await settled("resting");
    expect(selectScheduleFailure(actor.getSnapshot())).toBe(key);
    expect(selectSchedule(actor.getSnapshot())).toEqual(scheduled);
  });

  test.each(["trigger.requested", "skip.requested"] as const)(
    "reports on %s that the server has no scheduled posting",
    async (type) => {
      const { actor, settled } = await opened(error(404, "notFound"));
      actor.send({ type, skip: true });
      await settled("unavailable");
    },
  );

  test("polls a started run every two seconds until its end", async () => {
    const begun = seen({ status: "running", history: [run("running")] });
    const posted = seen({ postsGenerated: 2, history: [run("posted", "2"), run("posted")] });
    const { actor, clock, asked, settled } = await opened(begun, begun, posted);
    let emitted = 0;
    actor.on("post.generated", () => {
      emitted += 1;
    });
    actor.send({ type: "trigger.requested" });
    await settled("resting");
    expect(selectIsWriting(actor.getSnapshot())).toBe(true);
    expect(actor.getSnapshot().can({ type: "trigger.requested" })).toBe(false);
    for (const writing of [true, false]) {
      clock.increment(2_000);
      await settled("resting");
      expect(selectIsWriting(actor.getSnapshot())).toBe(writing);
    }
    expect(selectBegunRun(actor.getSnapshot())).toMatchObject({ id: "1", outcome: "posted" });
    expect(asked).toEqual(["status", "trigger", "status", "status"]);
    expect(emitted).toBe(1);
  });

  test("marks a status that can't be refreshed as stale, and fetches it again", async () => {
    const { actor, clock, settled } = await opened(error(0, "network"), scheduled);
    clock.increment(60_000);
    await expect.poll(() => selectStaleness(actor.getSnapshot())).toBe("scheduled-posting:network.fetch");
    clock.increment(60_000);
    await settled("resting");
    await expect.poll(() => selectStaleness(actor.getSnapshot())).toBeNull();
  });

  test("skips the next run and takes the skip back", async () => {
    const { actor, asked, settled } = await opened(seen({ skipsNext: true }), scheduled);
    for (const skip of [true, false]) {
      actor.send({ type: "skip.requested", skip });
      await settled("resting");
    }
    expect(asked).toEqual(["status", "skip true", "skip false"]);
  });
});

test("polls soon after the next run, and at least once a minute", () => {
  const at = scheduled.at;
  const next = (ms: number) => seen({ nextRunTime: new Date(at + ms).toISOString() });
  expect(nextPollIn(null, at)).toBe(2_000);
  expect(nextPollIn(seen({ status: "running" }), at)).toBe(2_000);
  expect(nextPollIn(next(10_000), at)).toBe(12_000);
  expect(nextPollIn(next(-10_000), at)).toBe(2_000);
  expect(nextPollIn(next(3_600_000), at)).toBe(60_000);
  expect(nextPollIn(seen({ nextRunTime: null }), at)).toBe(60_000);
  expect(nextPollIn(seen({ nextRunTime: "soon" }), at)).toBe(60_000);
});

// SPEC 4 Other: "The scheduled blog posting status falls back to idle or error."
test("falls back to idle or error for fields the server leaves out (SPEC.md section 4)", () => {
  const statusOf = (answer: Record<string, unknown>) => seen(answer).status.status;
  expect(statusOf({})).toBe("idle");
  expect(statusOf({ errorMessage: "It is out." })).toBe("error");
  expect(statusOf({ status: "asleep" })).toBe("idle");
  expect(statusOf({ status: "error" })).toBe("error");
});

test("the schedule of posts shows a request in progress until its answer", async () => {
  const { actor, settled } = start([scheduled, scheduled]);
  const now = () => [selectScheduleIsLoading(actor.getSnapshot()), selectIsTriggering(actor.getSnapshot())];
  expect(now()).toEqual([false, false]);
  actor.send({ type: "status.requested" });
  expect(now()).toEqual([true, false]);
  await settled("resting");
  expect(now()).toEqual([false, false]);
  actor.send({ type: "trigger.requested" });
  expect(now()).toEqual([false, true]);
});

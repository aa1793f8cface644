import { expect, test } from "vitest";
import { createActor, SimulatedClock } from "xstate";
import { type EventStreamEvent, eventStreamMachine, exponentialBackOff } from "#machines/transcriptions/event-stream.ts";
import { answering, stopsAfterTest, talking } from "#tests/machines/harness.ts";

function setUp() {
  const stream = answering<void>();
  const wakeUps = talking<EventStreamEvent, EventStreamEvent>();
  const clock = new SimulatedClock();
  const machine = eventStreamMachine.provide({ actors: { stream: stream.logic, wakeUps: wakeUps.logic } });
  const actor = stopsAfterTest(createActor(machine, { clock })).start();
  return { stream, wakeUps, clock, actor, state: () => actor.getSnapshot().value };
}

/** A wait of exactly so many ms ends with the next try. */
function expectWait({ clock, stream }: ReturnType<typeof setUp>, ms: number) {
  const before = stream.asked.length;
  clock.increment(ms - 1);
  expect(stream.asked).toHaveLength(before);
  clock.increment(1);
  expect(stream.asked).toHaveLength(before + 1);
}

test("the back-off doubles from one second to half a minute", () => {
  expect([1, 2, 3, 4, 5, 6, 7, 100, 5000].map(exponentialBackOff)).toEqual([
    1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000, 30_000,
  ]);
});

test("a stream that can't be had is tried again, ever later", async () => {
  const feed = setUp();
  for (const ms of [1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]) {
    await feed.stream.last().reject("network");
    expect(feed.state()).toBe("waiting");
    expectWait(feed, ms);
  }
});

test("a server that says how long it is busy is let alone for so long, and no longer than an hour; the next wait is as ever", async () => {
  const feed = setUp();
  const busy = (retryAfter: number) => feed.stream.last().reject("tooManyAtOnce", { status: 429, retryAfter });
  await busy(5);
  expectWait(feed, 5000);
  await feed.stream.last().reject("network");
  expectWait(feed, 2000);
  await busy(1);
  expectWait(feed, 4000);
  await busy(86_400);
  expectWait(feed, 3_600_000);
  // The person may have closed the other tabs while the device slept.
  await busy(86_400);
  feed.wakeUps.say({ type: "page.resumed" });
  expect(feed.stream.asked).toHaveLength(6);
});

test("a stream of something that was deleted is not asked for again", async () => {
  const feed = setUp();
  await feed.stream.last().reject("notFound");
  feed.clock.increment(60_000);
  expect(feed.stream.asked).toHaveLength(1);
  expect(feed.actor.getSnapshot().status).toBe("done");
});

test("a stream that was open and ends is opened again after a second, however often it failed before", async () => {
  const feed = setUp();
  for (const ms of [1000, 2000, 4000]) {
    await feed.stream.last().reject("network");
    expectWait(feed, ms);
  }
  feed.actor.send({ type: "stream.opened" });
  await feed.stream.last().resolve();
  expectWait(feed, 1000);
  feed.actor.send({ type: "stream.opened" });
  await feed.stream.last().reject("network");
  expectWait(feed, 1000);
});

test("a stream that ends without having opened counts as a failure", async () => {
  const feed = setUp();
  await feed.stream.last().resolve();
  expectWait(feed, 1000);
  await feed.stream.last().resolve();
  expectWait(feed, 2000);
});

test("waking up is worth a try at once, but no reason to wait less afterwards", async () => {
  const feed = setUp();
  await feed.stream.last().reject("network");
  expectWait(feed, 1000);
  await feed.stream.last().reject("network");
  feed.wakeUps.say({ type: "page.resumed" });
  expect(feed.stream.asked).toHaveLength(3);
  await feed.stream.last().reject("network");
  expectWait(feed, 4000);
});

test("waking up leaves an open stream alone, and does not lead to two", async () => {
  const feed = setUp();
  feed.wakeUps.say({ type: "page.resumed" });
  expect(feed.stream.asked).toHaveLength(1);
  await feed.stream.last().reject("network");
  feed.wakeUps.say({ type: "page.resumed" });
  feed.clock.increment(60_000);
  expect(feed.stream.asked).toHaveLength(2);
});

test("stopped, it lets go of the stream, of the wake-ups and of the time", async () => {
  const feed = setUp();
  feed.actor.stop();
  expect([feed.stream.last().signal.aborted, feed.wakeUps.running()]).toEqual([true, 0]);
  const other = setUp();
  await other.stream.last().reject("network");
  other.actor.stop();
  other.clock.increment(60_000);
  expect(other.stream.asked).toHaveLength(1);
});

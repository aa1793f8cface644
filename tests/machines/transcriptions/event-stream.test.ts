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

test("doubles the back-off from one second to half a minute", () => {
  expect([1, 2, 3, 4, 5, 6, 7, 100, 5000].map(exponentialBackOff)).toEqual([
    1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000, 30_000,
  ]);
});

test("retries a stream that can't be opened at growing intervals", async () => {
  const feed = setUp();
  for (const ms of [1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]) {
    await feed.stream.last().reject("network");
    expect(feed.state()).toBe("waiting");
    expectWait(feed, ms);
  }
});

test("respects the server's Retry-After up to an hour, and then waits as before", async () => {
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

test("does not reopen the stream of a deleted resource", async () => {
  const feed = setUp();
  await feed.stream.last().reject("notFound");
  feed.clock.increment(60_000);
  expect(feed.stream.asked).toHaveLength(1);
  expect(feed.actor.getSnapshot().status).toBe("done");
});

test("reopens an ended stream after a second, however often it failed before", async () => {
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

test("counts a stream that ends without opening as a failure", async () => {
  const feed = setUp();
  await feed.stream.last().resolve();
  expectWait(feed, 1000);
  await feed.stream.last().resolve();
  expectWait(feed, 2000);
});

test("retries at once on waking, and keeps the later intervals", async () => {
  const feed = setUp();
  await feed.stream.last().reject("network");
  expectWait(feed, 1000);
  await feed.stream.last().reject("network");
  feed.wakeUps.say({ type: "page.resumed" });
  expect(feed.stream.asked).toHaveLength(3);
  await feed.stream.last().reject("network");
  expectWait(feed, 4000);
});

test("leaves an open stream alone on waking", async () => {
  const feed = setUp();
  feed.wakeUps.say({ type: "page.resumed" });
  expect(feed.stream.asked).toHaveLength(1);
  await feed.stream.last().reject("network");
  feed.wakeUps.say({ type: "page.resumed" });
  feed.clock.increment(60_000);
  expect(feed.stream.asked).toHaveLength(2);
});

test("releases stream, wake-ups and timer when it is stopped", async () => {
  const feed = setUp();
  feed.actor.stop();
  expect([feed.stream.last().signal.aborted, feed.wakeUps.running()]).toEqual([true, 0]);
  const other = setUp();
  await other.stream.last().reject("network");
  other.actor.stop();
  other.clock.increment(60_000);
  expect(other.stream.asked).toHaveLength(1);
});

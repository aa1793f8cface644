import { describe, expect, test } from "vitest";
import { createActor, SimulatedClock } from "xstate";
import {
  type Blocked,
  type CheckoutReturnEmitted,
  checkoutReturnMachine,
  selectBeginFailure,
  selectBlocked,
  selectIsBeginning,
  selectIsChecking,
  selectOutcome,
} from "#machines/subscription/checkout-return.ts";
import { answering, stopsAfterTest } from "#tests/machines/harness.ts";

const blocked: Blocked[] = [
  { id: "2", title: "later" },
  { id: "1", title: "talk" },
];
const signedOut = { status: 401 };

function setUp() {
  const clock = new SimulatedClock();
  const ask = answering<boolean>();
  const findBlocked = answering<readonly Blocked[]>();
  const transcribe = answering<void, { blocked: readonly Blocked[] }>();
  const machine = checkoutReturnMachine.provide({
    actors: { ask: ask.logic, findBlocked: findBlocked.logic, transcribe: transcribe.logic },
  });
  const actor = stopsAfterTest(createActor(machine, { clock }));
  const emitted: CheckoutReturnEmitted[] = [];
  actor.on("transcribing.began", (event) => emitted.push(event));
  actor.start();
  const get = <T>(select: (snapshot: ReturnType<typeof actor.getSnapshot>) => T) => select(actor.getSnapshot());
  return { clock, ask, findBlocked, transcribe, emitted, get, send: actor.send.bind(actor), outcome: () => get(selectOutcome) };
}

async function confirmed(found: readonly Blocked[] = blocked) {
  const page = setUp();
  await page.ask.last().resolve(true);
  await page.findBlocked.last().resolve(found);
  return page;
}

describe("return from a checkout", () => {
  test("asks the server fifteen times, every two seconds, also after failures", async () => {
    const { clock, ask, outcome, send } = setUp();
    for (let asked = 1; asked <= 15; asked++) {
      expect([ask.asked.length, outcome()]).toEqual([asked, "waiting"]);
      if (asked % 2 === 0) await ask.last().reject("network");
      else await ask.last().resolve(false);
      clock.increment(1_999);
      expect(ask.asked).toHaveLength(asked);
      clock.increment(1);
    }
    expect([ask.asked.length, outcome()]).toEqual([15, "unconfirmed"]);
    send({ type: "retry.requested" });
    expect([ask.asked.length, outcome()]).toEqual([16, "waiting"]);
    await ask.last().resolve(false);
    expect(outcome()).toBe("waiting");
  });

  test("tells a signed-out person, and asks again on request", async () => {
    const { ask, outcome, send, clock } = setUp();
    await ask.last().reject("unauthorized", signedOut);
    clock.increment(60_000);
    expect([outcome(), ask.asked.length]).toEqual(["signedOut", 1]);
    send({ type: "retry.requested" });
    expect([outcome(), ask.asked.length]).toEqual(["waiting", 2]);
    await ask.last().rejectWith(signedOut);
    expect(outcome()).toBe("waiting");
  });

  test("finds recordings that were too long once the payment is confirmed", async () => {
    const { ask, outcome, get, findBlocked } = setUp();
    expect([get(selectIsChecking), get(selectBlocked)]).toEqual([false, []]);
    await ask.last().resolve(true);
    expect([outcome(), get(selectIsChecking)]).toEqual(["confirmed", true]);
    await findBlocked.last().resolve(blocked);
    expect([outcome(), get(selectIsChecking), get(selectBlocked)]).toEqual(["confirmed", false, blocked]);
  });

  test.each(["nothing", "a failure"])("transcribes nothing after %s", async (found) => {
    const page = setUp();
    await page.ask.last().resolve(true);
    if (found === "nothing") await page.findBlocked.last().resolve([]);
    else await page.findBlocked.last().reject("network");
    page.send({ type: "transcribing.requested" });
    expect([page.outcome(), page.get(selectIsChecking), page.transcribe.asked.length]).toEqual(["confirmed", false, 0]);
  });
});

test("transcribes blocked recordings on request, once, and again after a failure", async () => {
  const { transcribe, emitted, get, send } = await confirmed();
  send({ type: "transcribing.requested" });
  send({ type: "transcribing.requested" });
  expect([transcribe.inputs(), get(selectIsBeginning)]).toEqual([[{ blocked }], true]);
  await transcribe.last().reject("limitReached");
  expect([get(selectBeginFailure), get(selectIsBeginning), emitted]).toEqual(["limitReached", false, []]);
  send({ type: "transcribing.requested" });
  expect(get(selectBeginFailure)).toBeNull();
  await transcribe.last().resolve();
  expect([emitted, get(selectIsBeginning)]).toEqual([[{ type: "transcribing.began", blocked }], false]);
  send({ type: "transcribing.requested" });
  expect(transcribe.asked).toHaveLength(2);
});

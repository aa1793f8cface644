import { describe, expect, it } from "vitest";
import { createActor, fromCallback, fromPromise, SimulatedClock } from "xstate";
import type { Usage } from "#contract/index.ts";
import {
  minutesLeft,
  selectFits,
  selectHasLimit,
  selectIsAtLimit,
  selectIsFetchingUsage,
  selectIsVaultClosed,
  selectMinutesLeft,
  selectUsage,
  type UsageEmitted,
  type UsageEvent,
  usageLevel,
  usageMachine,
} from "#machines/subscription/usage.ts";
import { stopsAfterTest } from "#tests/machines/harness.ts";

const path = "/speech-to-text";

const usage = (usedTranslationMinutes: number, limitMinutes: number | null = 10): Usage => ({
  usedTranslationMinutes,
  limitMinutes,
  resetsAt: "2026-04-01T00:00:00.000Z",
});

describe("usage level of the free tier", () => {
  // SPEC 9: "warning from 8 minutes"
  it.each([
    [0, "free", 10],
    [7.99, "free", 2.01],
    [8, "near", 2],
    [9.99, "near", 0.01],
    [10, "reached", 0],
    [12.5, "reached", 0],
  ])("rates %d used free minutes as %s", (used, level, left) => {
    expect(usageLevel(usage(used))).toBe(level);
    expect(minutesLeft(usage(used))).toBeCloseTo(left, 9);
  });

  it("the usage of paying users has no limit", () => {
    expect(usageLevel(usage(500, null))).toBe("free");
    expect(minutesLeft(usage(500, null))).toBeNull();
  });
});

function visitor(...answers: (Usage | Error)[]) {
  let asked = 0;
  const signals: AbortSignal[] = [];
  const machine = usageMachine.provide({
    actors: {
      fetchUsage: fromPromise(async ({ signal }) => {
        const answer = answers[asked] ?? usage(0);
        asked += 1;
        signals.push(signal);
        if (answer instanceof Error) throw answer;
        return answer;
      }),
      transcriptions: fromCallback<UsageEvent>(() => {}),
      router: fromCallback<UsageEvent, { path: string }>(() => {}),
    },
  });
  const clock = new SimulatedClock();
  const actor = stopsAfterTest(createActor(machine, { clock })).start();
  const warnings: UsageEmitted[] = [];
  const loaded: number[] = [];
  actor.on("usage.warned", (event) => warnings.push(event));
  let last: Usage | null = null;
  actor.subscribe((snapshot) => {
    const now = selectUsage(snapshot);
    if (now !== null && now !== last) loaded.push(now.usedTranslationMinutes);
    last = now;
  });
  const send = async (type: "visit.began" | "visit.ended" | "usage.requested" | "usage.outdated") => {
    actor.send({ type, path });
    await expect.poll(() => actor.getSnapshot().matches({ fetch: "idle" })).toBe(true);
  };
  return { actor, clock, send, warnings, loaded, signals };
}

describe("usage warning", () => {
  // SPEC 5: "At 8 minutes used or more and under 10"
  it("warns once per visit, and again when the limit is reached", async () => {
    const { send, warnings, loaded } = visitor(usage(8.4), usage(8.6), usage(10.1), usage(10.2), usage(10.2));
    await send("visit.began");
    expect(warnings).toEqual([{ type: "usage.warned", level: "near", minutesLeft: 10 - 8.4 }]);
    await send("usage.requested");
    expect(warnings).toHaveLength(1);
    await send("usage.requested");
    expect(warnings.at(1)).toEqual({ type: "usage.warned", level: "reached", minutesLeft: 0 });
    await send("usage.requested");
    expect(warnings).toHaveLength(2);
    await send("visit.ended");
    await send("visit.began");
    expect(warnings).toHaveLength(3);
    expect(loaded).toEqual([8.4, 8.6, 10.1, 10.2, 10.2]);
  });

  it("does not warn on other pages, with plenty of minutes, or without a limit", async () => {
    const { send, warnings } = visitor(usage(9), usage(2), usage(100, null));
    await send("usage.requested");
    await send("visit.began");
    await send("usage.requested");
    expect(warnings).toEqual([]);
  });

  it("does not warn about free minutes after a failed answer", async () => {
    const { send, warnings, loaded } = visitor(new Error("away"), usage(9));
    await send("visit.began");
    expect([warnings, loaded]).toEqual([[], []]);
    await send("usage.requested");
    expect(warnings).toHaveLength(1);
  });
});

it("replaces a request in flight when minutes are spent", async () => {
  const { actor, send, loaded, signals } = visitor(usage(1), usage(2));
  actor.send({ type: "usage.requested" });
  await send("usage.requested");
  expect(loaded).toEqual([2]);
  expect(signals.map(({ aborted }) => aborted)).toEqual([true, false]);
});

it("refetches outdated usage one request at a time, and only if there may be a limit", async () => {
  const { actor, send, loaded, signals } = visitor(usage(1), usage(2), usage(60, null), usage(0));
  actor.send({ type: "usage.outdated" });
  await send("usage.outdated");
  expect(signals).toHaveLength(1);
  await send("usage.outdated");
  await send("usage.outdated");
  await send("usage.outdated");
  expect(loaded).toEqual([1, 2, 60]);
});

it("knows the month's minutes once they are loaded, for every plan", async () => {
  const loaded = usage(8.5);
  const { actor, send } = visitor(loaded, usage(10), usage(30, null), new Error("away"));
  const now = () => actor.getSnapshot();
  expect([selectUsage(now()), selectMinutesLeft(now()), selectIsAtLimit(now())]).toEqual([null, null, false]);
  await send("usage.requested");
  expect(selectUsage(now())).toBe(loaded);
  expect(selectMinutesLeft(now())).toBe(1.5);
  await send("usage.requested");
  expect(selectIsAtLimit(now())).toBe(true);
  await send("usage.requested");
  expect([selectMinutesLeft(now()), selectIsAtLimit(now())]).toEqual([null, false]);
  await send("usage.requested");
  expect(selectUsage(now())?.usedTranslationMinutes).toBe(30);
});

it("closes the vault on the free plan, except to a person who has one", async () => {
  const { actor, send } = visitor(usage(1), { ...usage(1), hasVault: true }, usage(1, null));
  const closed = [selectIsVaultClosed(actor.getSnapshot())];
  for (let count = 0; count < 3; count += 1) {
    await send("usage.requested");
    closed.push(selectIsVaultClosed(actor.getSnapshot()));
  }
  expect(closed).toEqual([false, true, false, false]);
});

it("shows the next person nothing of the previous one, and drops a request in flight", async () => {
  const { actor, send, signals } = visitor(usage(9), usage(9));
  await send("visit.began");
  actor.send({ type: "usage.requested" });
  actor.send({ type: "reset.requested" });
  await new Promise((resolve) => setImmediate(resolve));
  expect(selectUsage(actor.getSnapshot())).toBeNull();
  expect(actor.getSnapshot().value).toEqual({ fetch: "idle", visit: "away" });
  expect(signals.at(1)?.aborted).toBe(true);
});

it("allows a transcription that fits the remaining minutes to the second, and all of them without a limit", async () => {
  const { actor, send } = visitor(usage(8), usage(30, null));
  const fits = (seconds: number | null) => selectFits(actor.getSnapshot(), seconds);
  expect([fits(0), selectHasLimit(actor.getSnapshot())]).toEqual([false, false]);
  await send("usage.requested");
  expect([fits(120), fits(121), fits(null), selectHasLimit(actor.getSnapshot())]).toEqual([true, false, false, true]);
  await send("usage.requested");
  expect([fits(86_400), fits(null), selectHasLimit(actor.getSnapshot())]).toEqual([true, true, false]);
});

it("does not ask a server again that does not count minutes", async () => {
  const { actor, signals } = visitor(Object.assign(new Error("no"), { code: "notOffered" }));
  actor.send({ type: "usage.requested" });
  expect(selectIsFetchingUsage(actor.getSnapshot())).toBe(true);
  await expect.poll(() => selectIsFetchingUsage(actor.getSnapshot())).toBe(false);
  actor.send({ type: "visit.began", path });
  actor.send({ type: "usage.outdated" });
  expect([signals.length, selectIsFetchingUsage(actor.getSnapshot())]).toEqual([1, false]);
});

it("forgets given warnings after a visit and for the next person", async () => {
  const { actor, send, warnings } = visitor(usage(9), usage(9), usage(9));
  await send("visit.began");
  await send("visit.ended");
  await send("usage.requested");
  expect(warnings).toHaveLength(1);
  actor.send({ type: "reset.requested" });
  await send("visit.began");
  expect(warnings).toHaveLength(2);
});

it("fetches usage at most every 6 seconds during a dictation, and only on pages that use minutes", async () => {
  const { actor, clock, send, signals } = visitor();
  actor.send({ type: "minutes.spent" });
  await send("visit.began");
  const spend = () => actor.send({ type: "minutes.spent" });
  spend();
  spend();
  expect(signals).toHaveLength(2);
  clock.increment(5_999);
  spend();
  expect(signals).toHaveLength(2);
  clock.increment(1);
  spend();
  expect(signals).toHaveLength(3);
});

it("treats entering the same page again as the same visit, which leaving another page does not end", async () => {
  const { actor, send, signals } = visitor(usage(1), usage(1));
  await send("visit.began");
  await send("visit.began");
  actor.send({ type: "visit.ended", path: "/voice-translator" });
  expect([signals.length, actor.getSnapshot().matches({ visit: "visiting" })]).toEqual([1, true]);
  actor.send({ type: "visit.began", path: "/voice-translator" });
  actor.send({ type: "visit.ended", path });
  expect([signals.length, actor.getSnapshot().matches({ visit: "visiting" })]).toEqual([2, true]);
});

it("fetches usage for a page that is entered again only while nothing is known", async () => {
  const { actor, send, signals } = visitor(new Error("away"), usage(1), usage(1));
  const enter = async (entered: string) => {
    actor.send({ type: "page.entered", path: entered });
    await expect.poll(() => actor.getSnapshot().matches({ fetch: "idle" })).toBe(true);
    return signals.length;
  };
  expect([await enter("/a"), await enter("/a"), await enter("/a"), await enter("/b")]).toEqual([1, 2, 2, 3]);
  await send("usage.outdated");
  expect(signals).toHaveLength(4);
});

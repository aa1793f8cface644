import { describe, expect, test } from "vitest";
import {
  backOffLeft,
  isDueForRefresh,
  lifeLeft,
  nextCheck,
  noRefresh,
  retryDelay,
  retryTimeLeft,
  type SessionContext,
  seenNow,
} from "#machines/session/rules.ts";
import { ada, minute, second, token } from "./harness.ts";

const start = Date.UTC(2026, 10, 20, 12);

/** @param life of the token, in ms from now; null for none */
const context = (life: number | null, parts: Partial<SessionContext> = {}): SessionContext => ({
  token: life === null ? null : token("t", life),
  clockOffset: 0,
  user: ada,
  now: () => start,
  isAway: () => false,
  failures: 0,
  lastFailureAt: null,
  lastRenewalAt: null,
  refresh: { ...noRefresh, startedAt: start, seenAt: start },
  ...parts,
});

test("measures a token's life by the server's clock, and never below zero", () => {
  expect([lifeLeft(context(5_000)), lifeLeft(context(-5_000)), lifeLeft(context(null))]).toEqual([5_000, 0, 0]);
  expect([lifeLeft(context(5_000, { clockOffset: 2_000 })), lifeLeft(context(5_000, { clockOffset: -2_000 }))]).toEqual([
    3_000, 7_000,
  ]);
});

test("makes a token due for refresh in its last five minutes, half a minute after the last refresh", () => {
  expect([5 * minute, 5 * minute + 1, 0].map((life) => isDueForRefresh(context(life)))).toEqual([true, false, true]);
  expect(isDueForRefresh(context(null))).toBe(false);
  const renewed = (ago: number) => isDueForRefresh(context(minute, { lastRenewalAt: start - ago }));
  expect([renewed(29_999), renewed(30_000), renewed(-29_999), renewed(-30_000)]).toEqual([false, true, false, true]);
});

test("holds refreshes back for half a minute after the third failure", () => {
  const left = (failures: number, ago: number | null) =>
    backOffLeft(context(minute, { failures, lastFailureAt: ago === null ? null : start - ago }));
  expect([left(2, 0), left(3, 0), left(4, 10_000), left(3, null)]).toEqual([0, 30_000, 20_000, 0]);
  expect([left(3, 29_999), left(3, 30_000), left(3, 60_000), left(3, -10_000)]).toEqual([1, 0, 0, 20_000]);
});

describe("next check of a token", () => {
  test.each([
    [10 * minute, minute],
    [5 * minute + 20_000, 20_000],
    [5 * minute + 1, 1],
    [5 * minute, minute],
    [40_000, 40_000],
    [1, 1],
    [0, minute],
  ])("checks a token with %i ms of life left in %i ms", (life, expected) => {
    expect(nextCheck(context(life))).toBe(expected);
  });
});

describe("unanswered refresh", () => {
  test("detects a sleep or clock change after an unseen minute", () => {
    const seen = (seenAt: number) =>
      seenNow(context(minute, { refresh: { ...noRefresh, startedAt: start - 9, seenAt, unanswered: 2 } }));
    for (const seenAt of [start - minute, start + minute]) {
      expect(seen(seenAt)).toMatchObject({ startedAt: start - 9, unanswered: 2, seenAt: start });
    }
    for (const seenAt of [start - minute - 1, start + minute + 1]) {
      expect(seen(seenAt)).toMatchObject({ startedAt: start, unanswered: 0, seenAt: start });
    }
  });

  test("fails at the token's end, at least ten seconds after its start, and never without a network", () => {
    const begun = (ago: number) => ({ refresh: { ...noRefresh, startedAt: start - ago, seenAt: start } });
    expect(retryTimeLeft(context(20_000))).toBe(20_000);
    expect(retryTimeLeft(context(0, begun(4_000)))).toBe(6_000);
    expect(retryTimeLeft(context(0, begun(11_000)))).toBe(0);
    expect(retryTimeLeft(context(0, { ...begun(11_000), isAway: () => true }))).toBe(30_000);
    expect(retryTimeLeft(context(null, { isAway: () => true }))).toBe(0);
  });

  test.each([
    [1, 1],
    [2, 2],
    [3, 4],
    [5, 16],
    [6, 30],
    [9, 30],
  ])("a refresh is retried for the %i. time after %i s", (unanswered, seconds) => {
    const refresh = { ...noRefresh, startedAt: start, seenAt: start, unanswered };
    expect(retryDelay(context(10 * minute, { refresh }))).toBe(seconds * second);
  });

  test("retries once more at the end, and never at once", () => {
    const refresh = { ...noRefresh, startedAt: start - minute, seenAt: start, unanswered: 6 };
    expect([retryDelay(context(7_000, { refresh })), retryDelay(context(0, { refresh }))]).toEqual([7_000, 1]);
  });
});

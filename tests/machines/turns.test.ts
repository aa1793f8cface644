import { expect, test } from "vitest";
import { hasTurns, nextTurns, noTurns, withoutTurn, withWaiting } from "#machines/turns.ts";

const waiting = (...ids: string[]) => ids.reduce(withWaiting, noTurns);

test("turns are given in the order in which they were wanted, so many at a time", () => {
  const { given, turns } = nextTurns(waiting("a", "b", "c"), 2);
  expect(given).toEqual(["a", "b"]);
  expect(turns).toEqual({ waiting: ["c"], sending: ["a", "b"] });
  expect(nextTurns(turns, 2)).toEqual({ given: [], turns });
  expect(nextTurns(withoutTurn(turns, "a"), 2)).toEqual({ given: ["c"], turns: { waiting: [], sending: ["b", "c"] } });
});

test("who asks again stands at the end, and once only", () => {
  expect(waiting("a", "b", "a").waiting).toEqual(["b", "a"]);
});

test("there is something to do as long as one waits or has a turn", () => {
  expect(hasTurns(noTurns)).toBe(false);
  expect(hasTurns(waiting("a"))).toBe(true);
  const { turns } = nextTurns(waiting("a"), 1);
  expect(hasTurns(turns)).toBe(true);
  expect(hasTurns(withoutTurn(turns, "a"))).toBe(false);
});

import { expect, test } from "vitest";
import { giveSlots, hasSlots, noSlots, withoutSlot, withWaiting } from "#machines/upload-slots.ts";

const waiting = (...ids: string[]) => ids.reduce(withWaiting, noSlots);

test("slots are given in the order in which they were wanted, so many at a time", () => {
  const { given, slots } = giveSlots(waiting("a", "b", "c"), 2);
  expect(given).toEqual(["a", "b"]);
  expect(slots).toEqual({ waiting: ["c"], sending: ["a", "b"] });
  expect(giveSlots(slots, 2)).toEqual({ given: [], slots });
  expect(giveSlots(withoutSlot(slots, "a"), 2)).toEqual({ given: ["c"], slots: { waiting: [], sending: ["b", "c"] } });
});

test("an upload that asks for a slot again stands at the end, and once only", () => {
  expect(waiting("a", "b", "a").waiting).toEqual(["b", "a"]);
});

test("there is something to do as long as one waits or has a slot", () => {
  expect(hasSlots(noSlots)).toBe(false);
  expect(hasSlots(waiting("a"))).toBe(true);
  const { slots } = giveSlots(waiting("a"), 1);
  expect(hasSlots(slots)).toBe(true);
  expect(hasSlots(withoutSlot(slots, "a"))).toBe(false);
});

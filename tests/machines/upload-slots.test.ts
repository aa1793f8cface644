import { expect, test } from "vitest";
import { giveSlots, hasSlots, noSlots, withoutSlot, withWaiting } from "#machines/upload-slots.ts";

const waiting = (...ids: string[]) => ids.reduce(withWaiting, noSlots);

test("gives slots in the order of the requests, up to a limit", () => {
  const { given, slots } = giveSlots(waiting("a", "b", "c"), 2);
  expect(given).toEqual(["a", "b"]);
  expect(slots).toEqual({ waiting: ["c"], sending: ["a", "b"] });
  expect(giveSlots(slots, 2)).toEqual({ given: [], slots });
  expect(giveSlots(withoutSlot(slots, "a"), 2)).toEqual({ given: ["c"], slots: { waiting: [], sending: ["b", "c"] } });
});

test("moves an upload that requests a slot again to the end, once", () => {
  expect(waiting("a", "b", "a").waiting).toEqual(["b", "a"]);
});

test("has work while an upload waits or has a slot", () => {
  expect(hasSlots(noSlots)).toBe(false);
  expect(hasSlots(waiting("a"))).toBe(true);
  const { slots } = giveSlots(waiting("a"), 1);
  expect(hasSlots(slots)).toBe(true);
  expect(hasSlots(withoutSlot(slots, "a"))).toBe(false);
});

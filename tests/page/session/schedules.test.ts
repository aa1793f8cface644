import { expect, test } from "vitest";
import { fuzz } from "#tests/fixtures/fuzz.ts";
import { runSchedules } from "./simulated/schedule.ts";

const count = 60 * fuzz.factor;

// A browser's tabs, clock, storage, locks and network are simulated; the session and its HTTP calls are real.

test(`${count} schedules of lost, late, doubled and refused answers: nothing hangs, nobody is signed out for nothing`, async () => {
  expect(await runSchedules(1, count)).toEqual([]);
});

import { expect, test } from "vitest";
import { fuzz } from "#tests/fixtures/fuzz.ts";
import { runSchedules } from "./simulated/schedule.ts";

const count = 60 * fuzz.factor;

// The tabs, clock, storage, locks and network are simulated; the session and its HTTP calls are real.

test(`survives ${count} schedules of lost, late, doubled and refused answers without a hang or a needless sign-out`, async () => {
  expect(await runSchedules(1, count)).toEqual([]);
});

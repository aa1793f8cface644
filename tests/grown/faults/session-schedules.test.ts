import { expect, test } from "vitest";
import { runSchedules } from "#tests/page/session/simulated/schedule.ts";

const count = 10_000;

// A browser's tabs, clock, storage, locks and network are played (tests/page/session/simulated); the session and its HTTP are real.
test(`${count} schedules of lost, late, doubled and refused answers: nothing hangs, nobody is signed out for nothing`, async () => {
  expect(await runSchedules(1, count)).toEqual([]);
}, 1_800_000);

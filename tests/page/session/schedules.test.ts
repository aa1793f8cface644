import { expect, test } from "vitest";
import { runSchedules } from "./simulated/schedule.ts";

/** `npm run test:all` runs 10,000 (tests/grown/faults/session-schedules.test.ts). */
const count = 60;

test(`${count} schedules of lost, late, doubled and refused answers: nothing hangs, nobody is signed out for nothing`, async () => {
  expect(await runSchedules(1, count)).toEqual([]);
});

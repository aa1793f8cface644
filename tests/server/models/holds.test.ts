import { expect, test } from "vitest";
import { openHolds } from "#server/models/holds.ts";
import { temporaryFolder } from "#tests/server/harness.ts";

test("a model that this process is releasing does not count as held by another process", async () => {
  const holds = openHolds(await temporaryFolder());
  const taken = await Promise.all(Array.from({ length: 50 }, () => holds.take("tiny")));
  const given = Promise.all(taken.map((hold) => hold[Symbol.asyncDispose]()));
  expect(await holds.isHeldElsewhere("tiny")).toBe(false);
  await given;
  expect(await holds.isHeld("tiny")).toBe(false);
});

import { describe, expect, test } from "vitest";
import { hasProgressed, isLasting, isSignedOut, mayPass } from "#machines/uploads/rules.ts";
import { refusal } from "./harness.ts";

const lasting = [
  "emptyFile",
  "tooLarge",
  "tooLong",
  "unreadable",
  "notAudio",
  "noSound",
  "truncated",
  "badRequest",
  "notFound",
  "gone",
  "languageUnavailable",
  "translationUnavailable",
];

test("what is wrong with the file or the language lasts; anything else may be tried again", () => {
  expect(lasting.map(isLasting)).toEqual(lasting.map(() => true));
  expect(["network", "engineFailed", "storageFull", "", null].map(isLasting)).toEqual([false, false, false, false, false]);
});

describe("a later attempt", () => {
  test.each([0, 408, 429, 502, 503, 504])("may succeed after %i, however often that came", (status) => {
    expect([mayPass(refusal(status, "internal"), 1), mayPass(refusal(status, "internal"), 5000)]).toEqual([true, true]);
  });

  test.each([500, 501, 599, 409, 423])("may succeed after %i four times, not five times", (status) => {
    expect([mayPass(refusal(status, "internal"), 4), mayPass(refusal(status, "internal"), 5)]).toEqual([true, false]);
  });

  test("may succeed after an incomplete file, whatever the status, four times", () => {
    expect([mayPass(refusal(422, "interrupted"), 4), mayPass(refusal(422, "interrupted"), 5)]).toEqual([true, false]);
  });

  test.each([
    [499, "internal"],
    [400, "badRequest"],
    [401, "unauthorized"],
    [404, "notFound"],
    [413, "tooLarge"],
    [507, "storageFull"],
    [503, "storageFull"],
  ])("does not succeed after %i %s", (status, code) => {
    expect(mayPass(refusal(status, code), 1)).toBe(false);
  });

  test("does not succeed after what is no answer of a server", () => {
    const others = [new TypeError("no"), null, "500", { status: "500", code: "interrupted" }];
    expect(others.map((error) => mayPass(error, 1))).toEqual([false, false, false, false]);
  });
});

test("only 401 is a session that has ended, and only what says so has progressed", () => {
  expect([refusal(401, "x"), refusal(403, "unauthorized"), null, { status: "401" }].map(isSignedOut)).toEqual([
    true,
    false,
    false,
    false,
  ]);
  const progressed = [refusal(0, "x", true), refusal(0, "x"), { progressed: 1 }, {}, null, "progressed"].map(hasProgressed);
  expect(progressed).toEqual([true, false, false, false, false, false]);
});

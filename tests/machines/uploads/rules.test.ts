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

test("treats problems of file and language as final, and others as retryable", () => {
  expect(lasting.map(isLasting)).toEqual(lasting.map(() => true));
  expect(["network", "engineFailed", "storageFull", "", null].map(isLasting)).toEqual([false, false, false, false, false]);
});

describe("later attempt of an upload", () => {
  test.each([0, 408, 429, 502, 503, 504])(
    "the later attempt of an upload may succeed after status %i, however often it came",
    (status) => {
      expect([mayPass(refusal(status, "internal"), 1), mayPass(refusal(status, "internal"), 5000)]).toEqual([true, true]);
    },
  );

  test.each([500, 501, 599, 409, 423])(
    "the later attempt of an upload may succeed after status %i four times, not five",
    (status) => {
      expect([mayPass(refusal(status, "internal"), 4), mayPass(refusal(status, "internal"), 5)]).toEqual([true, false]);
    },
  );

  test("the later attempt of an upload may succeed four times after an incomplete file, whatever the status", () => {
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
  ])("the later attempt of an upload can't succeed after %i %s", (status, code) => {
    expect(mayPass(refusal(status, code), 1)).toBe(false);
  });

  test("an upload is not retried after an error that is not a server's answer", () => {
    const others = [new TypeError("no"), null, "500", { status: "500", code: "interrupted" }];
    expect(others.map((error) => mayPass(error, 1))).toEqual([false, false, false, false]);
  });
});

test("recognizes only 401 as an ended session, and progress only if reported", () => {
  expect([refusal(401, "x"), refusal(403, "unauthorized"), null, { status: "401" }].map(isSignedOut)).toEqual([
    true,
    false,
    false,
    false,
  ]);
  const progressed = [refusal(0, "x", true), refusal(0, "x"), { progressed: 1 }, {}, null, "progressed"].map(hasProgressed);
  expect(progressed).toEqual([true, false, false, false, false, false]);
});

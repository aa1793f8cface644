import { expect, test } from "vitest";
import { codeOf, isFinal, isGone, isNotOffered } from "#machines/failure.ts";
import { notProvided } from "#machines/not-provided.ts";
import { present } from "#machines/present.ts";

const failing = (code: unknown, status?: number) => Object.assign(new Error("no"), { code, status });

test("reads a failure's code, and treats an error without a code as internal", () => {
  expect([failing("network"), { code: "gone" }].map(codeOf)).toEqual(["network", "gone"]);
  expect([failing(5), {}, null, undefined, "network"].map(codeOf)).toEqual(Array(5).fill("internal"));
});

test("distinguishes missing things from calls that are not offered", () => {
  expect(["notFound", "gone", "notOffered", "network"].map((code) => isGone(failing(code)))).toEqual([true, true, false, false]);
  expect(["notFound", "notOffered"].map((code) => isNotOffered(failing(code)))).toEqual([false, true]);
});

test("knows by code or status which requests would always be refused", () => {
  const codes = ["badRequest", "tooLarge", "languageUnavailable", "translationUnavailable"];
  expect(codes.map((code) => isFinal(failing(code)))).toEqual([true, true, true, true]);
  expect([400, 413, 422].map((status) => isFinal(failing("internal", status)))).toEqual([true, true, true]);
  expect([0, 401, 409, 412, 423, 500].map((status) => isFinal(failing("internal", status)))).toEqual(Array(6).fill(false));
  expect([null, undefined, "badRequest", { status: "400" }, {}].map(isFinal)).toEqual(Array(5).fill(false));
});

test("the error of a missing implementation names it", () => {
  expect(() => notProvided("load")).toThrow(/load/);
  expect([present(0, "a number"), present("", "a text"), present(false, "an answer")]).toEqual([0, "", false]);
  expect(() => present(null, "a text")).toThrow(/a text/);
});

import * as v from "valibot";
import { expect, test } from "vitest";
import { findJson, parseLenient, shapeOf } from "#server/http/lenient-json.ts";

test.each<[string, unknown]>([
  ['{"a":NaN,"b":[-Infinity,Infinity],"c":"NaN \\" NaN"}', { a: null, b: [null, null], c: 'NaN " NaN' }],
  ['{"a":"one\ntwo",}', { a: "one\ntwo" }],
  ["{'a':1}", { a: 1 }],
  ['{"a":"cut o', undefined],
  ['{"a":"cut off"', undefined],
  ["<html>{}</html>", undefined],
  ["hello", undefined],
  ["", undefined],
])("%s is read as %j", (text, expected) => expect(parseLenient(text)).toEqual(expected));

test("the first JSON of a kind is found among others, and among braces that are none", () => {
  const schema = v.object({ a: v.string() });
  expect(findJson('{x} {"b":1} ```json\n{"a":"}{","c":{}}\n``` {"a":"later"} {', schema)).toEqual({ a: "}{" });
  expect(findJson('{"a":"he said "so" to me"}', schema)).toEqual({ a: 'he said "so" to me' });
  expect(findJson('{"a":"cut o', schema)).toBeUndefined();
});

test.each(["{", '{"', "{'a\": [", '"', "{} "])("100,000 characters of %s are given up soon", (piece) => {
  const text = `{${piece.repeat(100_000 / piece.length)}}`;
  const before = performance.now();
  expect(findJson(text, v.object({ a: v.string() }))).toBeUndefined();
  // A tenth of it on an idle machine: without limits it is seconds.
  expect(performance.now() - before).toBeLessThan(1500);
});

test("a string of ten megabytes of escapes overflows no stack", () => {
  const text = `{"${"\\n".repeat(5_000_000)}`;
  for (const cut of [text, `${text}}`]) expect([parseLenient(cut), findJson(cut, v.unknown())]).toEqual([undefined, undefined]);
});

test("a shape has names and types, and no words", () => {
  const answer = { text: "secret", segments: [{ start: 1, words: [] }, "secret"], "secret words": null, page: "<p>secret</p>" };
  expect(shapeOf(answer)).toBe("{text: text, segments: [2 × {start: number, words: [0]}], ?: null, page: HTML}");
  expect(shapeOf(" \n")).toBe("nothing");
});

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
])("parses %s as %j", (text, expected) => expect(parseLenient(text)).toEqual(expected));

test("finds the first matching JSON among other JSON and stray braces", () => {
  const schema = v.object({ a: v.string() });
  expect(findJson('{x} {"b":1} ```json\n{"a":"}{","c":{}}\n``` {"a":"later"} {', schema)).toEqual({ a: "}{" });
  expect(findJson('{"a":"he said "so" to me"}', schema)).toEqual({ a: 'he said "so" to me' });
  expect(findJson('{"a":"cut o', schema)).toBeUndefined();
});

test.each(["{", '{"', "{'a\": [", '"', "{} "])("gives up a text of 100,000 characters of %s in limited time", (piece) => {
  const text = `{${piece.repeat(100_000 / piece.length)}}`;
  const before = performance.now();
  expect(findJson(text, v.object({ a: v.string() }))).toBeUndefined();
  // An idle machine needs a tenth of this; without limits the search takes seconds.
  expect(performance.now() - before).toBeLessThan(1500);
});

test("ten megabytes of escapes don't overflow the stack", () => {
  const text = `{"${"\\n".repeat(5_000_000)}`;
  for (const cut of [text, `${text}}`]) expect([parseLenient(cut), findJson(cut, v.unknown())]).toEqual([undefined, undefined]);
});

test("the shape of an answer has names and types but no texts", () => {
  const answer = { text: "secret", segments: [{ start: 1, words: [] }, "secret"], "secret words": null, page: "<p>secret</p>" };
  expect(shapeOf(answer)).toBe("{text: text, segments: [2 × {start: number, words: [0]}], ?: null, page: HTML}");
  expect(shapeOf(" \n")).toBe("nothing");
});

import { expect, test } from "vitest";
import { csvOf } from "#server/admin/csv.ts";

test.each([
  ["plain", "plain"],
  ["=1+1", "'=1+1"],
  ["@sum", "'@sum"],
  ["-2", "'-2"],
  [" =1", "' =1"],
  ["\tx", "'\tx"],
  ['say "hi", you', '"say ""hi"", you"'],
  ["two\nlines", '"two\nlines"'],
  ['="a"', '"\'=""a"""'],
])("%j stands in a file as %j", (text, field) => {
  expect(csvOf([[text, "b"]])).toBe(`${field},b\r\n`);
});

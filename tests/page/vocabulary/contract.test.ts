import { expect, test } from "vitest";
import { parseVocabulary, vocabularyLimits, vocabularyProblem } from "#contract/index.ts";

test.each([
  ["", [], [], 0],
  ["Ada Lovelace", ["Ada Lovelace"], [], 0],
  ["Ada, Grace;Alan\r\nAda\n\n", ["Ada", "Grace", "Alan"], [], 0],
  ["cooper netties → Kubernetes", ["Kubernetes"], [["cooper netties", "Kubernetes"]], 0],
  [
    "a=>b\nc -> d\ne\tf",
    ["b", "d", "f"],
    [
      ["a", "b"],
      ["c", "d"],
      ["e", "f"],
    ],
    0,
  ],
  ["  acme   corp →  ACME, Inc. ", ["ACME, Inc."], [["acme corp", "ACME, Inc."]], 0],
  ["x →\n→ y\na → b → c\n… → dots", [], [], 4],
])("parses %j into terms and replacements", (text, terms, replacements, incomplete) => {
  const pairs = replacements.map(([heard, written]) => ({ heard, written }));
  expect(parseVocabulary(text)).toEqual({ terms, replacements: pairs, incomplete });
});

test("refuses a large vocabulary in linear time", () => {
  expect(vocabularyProblem("Ada\n".repeat(100))).toBeNull();
  expect(vocabularyProblem("\n".repeat(5_000_000))).toEqual({ kind: "lines", count: 5_000_001, max: vocabularyLimits.lines });
  expect(vocabularyProblem("x".repeat(5_000_000))).toMatchObject({ kind: "characters", count: 5_000_000 });
  expect(vocabularyProblem(`a\n${"x".repeat(300)}`)).toEqual({ kind: "line", count: 300, max: 200, line: 2 });
});

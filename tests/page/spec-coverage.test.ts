import { describe, expect, test } from "vitest";
import { readCoverage, readSentences, writeDocument } from "#scripts/spec-coverage.ts";
import { readTags } from "#scripts/test-tags.ts";

const specification = `# A product

An introduction.

## 4. States

### Session

- No token means **signed out**.
- An expired token means expired.

Both hold. Always!  The rest: not shown.

## 9. Limits

**In short**
| Constant | Value |
|---|---|
| Attempts | 3 |
| Attempts in an hour | 30 |
`;

const source = `
describe("a session", () => {
  // SPEC 4 Session: "No token means signed out"
  // PROMISE start: A page opens
  test("begins without a token", () => {});

  test.each([
    // SPEC 9: "Attempts | 3"
    ["three", 3],
    ["four", 4],
  ])("%s attempts", () => {});
});
// SPEC 4 Session: "An expired token"
const nothing = 1;
`;

const sentences = readSentences(specification);
const tags = readTags("tests/page/a.test.ts", source);

test("reads sentences from paragraphs, list items and table rows", () => {
  expect(sentences.map(({ section, heading, text }) => [section.slice(0, 1), heading, text])).toEqual([
    ["4", "Session", "No token means **signed out**."],
    ["4", "Session", "An expired token means expired."],
    ["4", "Session", "Both hold."],
    ["4", "Session", "Always!"],
    ["9", "", "Attempts | 3"],
    ["9", "", "Attempts in an hour | 30"],
  ]);
});

test("finds the test or table row below a tag", () => {
  expect(tags.map(({ place, text, title }) => [place, text, title])).toEqual([
    ["4 Session", "No token means signed out", "a session › begins without a token"],
    ["start", "A page opens", "a session › begins without a token"],
    ["9", "Attempts | 3", "a session › %s attempts › three"],
    ["4 Session", "An expired token", ""],
  ]);
});

test("refuses a comment that begins like a tag but is none", () => {
  expect(() => readTags("a.ts", "// SPEC 4, Session\n")).toThrow("is no tag");
});

describe("problem of a tag", () => {
  const problemOf = (place: string, text: string, kind: "SPEC" | "PROMISE" = "SPEC") =>
    readCoverage(sentences, [{ kind, place, text, file: "a.ts", title: "a" }]).problems.join();

  test.each([
    ["4 Session", "no token means signed in", "is not in a sentence"],
    ["4 Refresh", "No token", "names a section or heading"],
    ["4 Session", "means", "is in several sentences"],
    ["9", "Attempts", "is in several sentences"],
    ["9", "Attempts | 3", ""],
  ])("the problem of a tag is found in SPEC %s: %s", (place, text, problem) => {
    if (problem === "") expect(problemOf(place, text)).toBe("");
    else expect(problemOf(place, text)).toContain(problem);
  });

  test("the problem of a tag is an unknown topic of a promise", () => {
    expect(problemOf("weather", "The sun shines", "PROMISE")).toContain("has a topic");
    expect(problemOf("start", "The sun shines", "PROMISE")).toBe("");
  });

  test("the problem of a tag is a missing test below it", () => {
    expect(readCoverage(sentences, tags).problems).toEqual([
      'tests/page/a.test.ts: SPEC 4 Session: "An expired token" is not above a test.',
    ]);
  });
});

test("writes sentences with their tests, untested ones, and promises", () => {
  const document = writeDocument(readCoverage(sentences, tags));
  const link = "[page/a.test.ts](../tests/page/a.test.ts)";
  expect(document).toContain("| 4. States | 4 | 1 |\n| 9. Limits | 2 | 1 |");
  expect(document).toContain(`### Session\n\n- No token means signed out.\n  - ${link}: a session › begins without a token\n`);
  expect(document).toContain("- Session: An expired token means expired.\n- Session: Both hold.\n- Session: Always!\n");
  expect(document).toContain(`- Attempts | 3\n  - ${link}: a session › %s attempts › three\n`);
  expect(document).toContain(`### Start\n\n- A page opens\n  - ${link}: a session › begins without a token\n`);
});

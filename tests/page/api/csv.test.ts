import { describe, expect, test } from "vitest";
import { csvText } from "#contract/csv.ts";

describe("CSV file", () => {
  test("separates fields by commas and ends each row with CR and LF (RFC 4180)", () => {
    expect(
      csvText([
        ["date", "views"],
        ["2026-03-01", 12],
      ]),
    ).toBe("date,views\r\n2026-03-01,12\r\n");
    expect(csvText([])).toBe("");
  });

  test.each([
    ["a comma", "Speech, and text", '"Speech, and text"'],
    ["quotation marks", 'The "best" one', '"The ""best"" one"'],
    ["a line break", "two\nlines", '"two\nlines"'],
    ["letters of all kinds", "Größe, naïve 日本", '"Größe, naïve 日本"'],
    ["nothing", "", ""],
    ["quotation marks and a comma", 'say "hi", you', '"say ""hi"", you"'],
  ])("quotes %s where necessary", (_, text, field) => {
    expect(csvText([[text]])).toBe(`${field}\r\n`);
  });

  test.each([
    ['=HYPERLINK("http://evil.example")', `"'=HYPERLINK(""http://evil.example"")"`],
    ["+1", "'+1"],
    ["-1+1", "'-1+1"],
    ["@SUM(A1)", "'@SUM(A1)"],
    ["\t=1", "'\t=1"],
    ["  =1", "'  =1"],
    ["\r=1", `"'\r=1"`],
    ["=1+1", "'=1+1"],
    ["@sum", "'@sum"],
    ["-2", "'-2"],
    [" =1", "' =1"],
    ["\tx", "'\tx"],
    ["\rx", `"'\rx"`],
    ["\nx", `"'\nx"`],
    [" \tx", "' \tx"],
    ['="a"', '"\'=""a"""'],
  ])("a CSV export keeps %j from running as a formula", (text, field) => {
    expect(csvText([[text]])).toBe(`${field}\r\n`);
  });

  test("leaves numbers unchanged, including negative ones", () => {
    expect(csvText([[-12, 0.5]])).toBe("-12,0.5\r\n");
  });
});

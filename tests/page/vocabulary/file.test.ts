import { describe, expect, test } from "vitest";
import { csvOf, csvRows, maxFileBytes, readLines } from "#src/features/vocabulary/file.ts";
import { cpuMsOf } from "#tests/fixtures/cpu-time.ts";

const file = (name: string, ...parts: BlobPart[]) => Object.assign(new Blob(parts), { name });

describe("lines of an imported vocabulary file", () => {
  test.each([
    ["a text", file("a.txt", "Ada\nb → c"), "Ada\nb → c"],
    ["with a mark", file("a.txt", "\ufeffAda"), "Ada"],
    ["of UTF-16", file("a.txt", Uint8Array.of(0xff, 0xfe, 0x41, 0, 0x64, 0, 0x61, 0)), "Ada"],
    ["of western Windows", file("a.csv", Uint8Array.of(0x5a, 0x6f, 0xeb)), "Zoë"],
    [
      "a table",
      file("a.csv", 'cooper netties,Kubernetes\r\n"Ada ""The"" Lovelace"\r\n,Grace\r\n\r\n'),
      'cooper netties → Kubernetes\nAda "The" Lovelace\nGrace',
    ],
    ["with semicolons", file("a.CSV", 'a;"b, c"\nd;e'), "a → b, c\nd → e"],
    ["with tabs", file("a.tsv", "a\tb"), "a → b"],
    ["what a spreadsheet must not evaluate", file("a.csv", "'=SUM,'+1"), "=SUM → +1"],
    ["a cell of two lines", file("a.csv", '"a\nb",c'), "a b → c"],
  ])("lines of an imported file are read: %s", async (_, from, expected) => {
    expect(await readLines(from)).toBe(expected);
  });

  test.each([
    ["tooLarge", file("a.txt", "x".repeat(maxFileBytes + 1))],
    ["badRequest", file("a.txt", Uint8Array.of(0x50, 0x4b, 0, 0xff))],
    ["badRequest", file("a.csv", Uint8Array.of(0x50, 0x4b, 0, 0x41))],
  ])("lines of an imported file are refused: %s", async (code, from) => {
    await expect(readLines(from)).rejects.toMatchObject({ code });
  });
});

test("vocabulary lines survive an export to CSV and back", async () => {
  const text = 'Ada "The" Lovelace\ncooper netties → Kubernetes\n=x => +y\nAlan';
  const csv = csvOf(text);
  expect(csvRows(csv)).toEqual([['Ada "The" Lovelace'], ["cooper netties", "Kubernetes"], ["'=x", "'+y"], ["Alan"]]);
  expect(await readLines(file("a.csv", csv))).toBe(text.replace("=x => +y", "=x → +y"));
});

test("reading a vocabulary file takes linear time despite an open quote", () => {
  expect(cpuMsOf(() => csvRows(`"${"a,\n".repeat(300_000)}`))).toBeLessThan(5_000);
});

import { describe, expect, test } from "vitest";
import { type Segment, vocabularyLimits } from "#contract/index.ts";
import { prepareReplacements } from "#speech/written/replacements.ts";
import { rewritten } from "#speech/written/rewrite.ts";
import { cpuMsOf } from "#tests/fixtures/cpu-time.ts";
import { segment } from "#tests/server/jobs/scripted.ts";

const pairs = (lines: string) =>
  lines.split("\n").map((line) => {
    const [heard = "", written = ""] = line.split(">");
    return { heard, written };
  });
const applied = (lines: string, of: Segment) => rewritten(of, prepareReplacements(pairs(lines))(of.text));
const textOf = (lines: string, text: string) => applied(lines, segment(text, 0, 1)).text;

describe("prepareReplacements", () => {
  test.each([
    [
      "whole words, whatever their case",
      "cloud>Claude",
      "Cloud and CLOUD, cloudy clouds cloud's",
      "Claude and Claude, cloudy clouds cloud's",
    ],
    ["words with an apostrophe of either kind", "o'neil>O’Neill", "O’Neil met o'neil", "O’Neill met O’Neill"],
    [
      "several words, also with a hyphen or a line break",
      "cooper netties>Kubernetes",
      "cooper-netties cooper\n netties",
      "Kubernetes Kubernetes",
    ],
    ["not across the end of a sentence", "acme corp>ACME", "from acme. corp or acme corp.", "from acme. corp or ACME."],
    ["the longest first", "new>NEW\nnew york>New York\nnew york city>NYC", "new york city new york new", "NYC New York NEW"],
    ["the first of two for the same", "a b>one\nA B>two", "a b", "one"],
    ["what is written is not replaced again", "a>b\nb>a", "a b", "b a"],
    ["accents composed or not", "zoë>Zoe", "zoe\u0308 ZOË zoé", "Zoe Zoe zoé"],
    ["Greek and German capitals", "ΟΔΟΣ>Odos\nstraße>Str.", "οδος STRASSE", "Odos Str."],
    ["signs that belong to it", "c++>Cpp\nc>See\n.net>DotNet", "c++ c .net net", "Cpp See DotNet net"],
    ["signs literally, not as a pattern", "a.*b>x\n(a+)+$>y", "a b a.*b aaaa", "a b x aaaa"],
    [
      "scripts without spaces, anywhere",
      "克劳德>Claude\nクラウド>Claude",
      "我问克劳德了 クラウドに クラウドワークス",
      "我问Claude了 Claudeに クラウドワークス",
    ],
    ["scripts of other directions", "كلود>Claude", "سألت كلود وكلود", "سألت Claude وكلود"],
    ["digits and letters", "gpt 4>GPT-4", "gpt 4 gpt 40 gpt-4", "GPT-4 gpt 40 GPT-4"],
    ["nothing without letters", "!>?", "hey!", "hey!"],
  ])("applies replacement lines: %s", (_, lines, text, expected) => {
    expect(textOf(lines, text)).toBe(expected);
  });

  test("merges replaced words into one with their times and the heard words", () => {
    const before = segment("we run cooper netties, here", 0, 5);
    expect(applied("cooper netties>Kubernetes", before)).toEqual({
      start: 0,
      end: 5,
      text: "we run Kubernetes, here",
      words: [
        { text: "we", start: 0, end: 1 },
        { text: "run", start: 1, end: 2 },
        { text: "Kubernetes,", start: 2, end: 4, heard: "cooper netties," },
        { text: "here", start: 4, end: 5 },
      ],
    });
  });

  test("marks a whole joined word when only a part is replaced, with the lowest confidence", () => {
    const words = [
      { text: "acme-corp,", start: 0, end: 1, confidence: 0.9 },
      { text: "corp", start: 1, end: 2, confidence: 0.4 },
    ];
    const of: Segment = { start: 0, end: 2, text: "acme-corp, corp", words };
    expect(applied("corp>Corporation", of).words).toEqual([
      { text: "acme-Corporation,", start: 0, end: 1, confidence: 0.9, heard: "acme-corp," },
      { text: "Corporation", start: 1, end: 2, confidence: 0.4, heard: "corp" },
    ]);
    expect(applied("acme corp>ACME\ncorp>Corporation", of).text).toBe("ACME, Corporation");
  });

  test("marks the segment with the heard text when word times are missing or don't match", () => {
    const bare: Segment = { start: 0, end: 2, text: "ask cloud", words: [] };
    expect(applied("cloud>Claude", bare)).toEqual({ ...bare, text: "ask Claude", heard: "ask cloud" });
    const other = { ...bare, words: [{ text: "else", start: 0, end: 2 }] };
    expect(applied("cloud>Claude", other)).toEqual({ ...other, text: "ask Claude", heard: "ask cloud" });
  });

  test("leaves correct words unmarked and marked words unchanged", () => {
    const right = segment("ask Claude", 0, 2);
    expect(applied("claude>Claude", right)).toEqual(right);
    const once = applied("cloud>Claude", segment("ask cloud", 0, 2));
    expect(applied("claude>Cloud", once)).toEqual(once);
  });

  test("finds replacements in linear time, whatever the vocabulary", () => {
    const words = Array.from({ length: 99 }, () => "a").join(" ");
    const lines = Array.from({ length: vocabularyLimits.lines }, (_, at) => ({ heard: `${words}${at}`, written: "x" }));
    const find = prepareReplacements(lines);
    const text = "a ".repeat(20_000);
    // Half a minute of speech has a hundred words; this is an hour and a half at once.
    expect(cpuMsOf(() => expect(find(text)).toEqual([]))).toBeLessThan(5_000);
    const minute = "a ".repeat(200);
    expect(cpuMsOf(() => find(minute))).toBeLessThan(2_000);
  });
});

import { describe, expect, test } from "vitest";
import { minutesOf, plainText, summaryOf } from "#server/blog/plain-text.ts";
import { slugOf } from "#server/blog/slugs.ts";

describe("what a Markdown text says", () => {
  test.each([
    ["marks", "# Title\n\nHello **bold**, *it*, ~~gone~~ and `code`.", "Title\n\nHello bold, it, gone and code."],
    ["links and pictures", "[here](http://x.y/a_(b)) ![no](u) [there][1]\n\n[1]: http://x.y", "here there"],
    ["a code block", "Before\n\n```js\nconst a = 1;\n```\n\nAfter", "Before\n\nAfter"],
    ["a code block without end", "Before\n\n~~~\nrest", "Before"],
    ["lists, tasks and quotes", "- [x] a\n- b\n1. c\n> d", "a\nb\nc\nd"],
    ["a table", "| a | b |\n|---|---|\n| 1 | 2 |", "a b\n\n1 2"],
    ["HTML", "<b>bold</b> <!-- hidden --> <https://a.b>", "bold https://a.b"],
    ["what only looks like marks", "snake_case_name, 2 * 3 * 4, \\*star\\*", "snake_case_name, 2 * 3 * 4, *star*"],
  ])("%s", (_, markdown, text) => {
    expect(plainText(markdown)).toBe(text);
  });

  test.each([
    "[",
    "![",
    "](",
    "[a](",
    "[a]((",
    "<!--",
    "*",
    " **a",
    "`",
    "` ``a",
    "_a",
    " ",
    "|",
    "<a ",
    "> ",
    "#",
    "\n```\n",
    "\\",
  ])("is found quickly among nothing but %j", (piece) => {
    const from = performance.now();
    summaryOf(`${piece.repeat(200_000 / piece.length)}x`);
    minutesOf(`${piece.repeat(200_000 / piece.length)}x`);
    expect(performance.now() - from).toBeLessThan(3000);
  });

  test("takes as long to read as it has words, or characters where words have no spaces", () => {
    expect(minutesOf("")).toBe(1);
    expect(minutesOf("word ".repeat(219))).toBe(1);
    expect(minutesOf("word ".repeat(2200))).toBe(10);
    expect(minutesOf("漢".repeat(2500))).toBe(5);
    expect(minutesOf(`word\n\n\`\`\`\n${"code ".repeat(9000)}\n\`\`\``)).toBe(1);
  });

  test("begins with whole sentences, without headings", () => {
    expect(summaryOf("# Title\n\nOne sentence. And **two**.")).toBe("One sentence. And two.");
    expect(summaryOf(`${"A sentence of some length. ".repeat(20)}`)).toMatch(/^(A sentence of some length\. ?){8}$/);
    expect(summaryOf("word ".repeat(100))).toMatch(/word…$/);
    expect(summaryOf("文です。".repeat(100))).toMatch(/。$/);
    expect(summaryOf("```\ncode\n```")).toBe("");
  });
});

describe("an address", () => {
  test.each([
    ["Über Größe & Maß", "ueber-groesse-mass"],
    ["Qu’est-ce que c’est ?", "qu-est-ce-que-c-est"],
    ["JavaScript & GDPR 2.0", "javascript-gdpr-2-0"],
    ["日本語", "post"],
    ["…", "post"],
    ["../../etc/passwd", "etc-passwd"],
  ])("of %j is %s", (title, slug) => {
    expect(slugOf(title)).toBe(slug);
  });

  test("of a long title ends with a word", () => {
    expect(slugOf("characters ".repeat(18))).toBe(Array.from({ length: 7 }, () => "characters").join("-"));
    expect(slugOf("x".repeat(200))).toHaveLength(80);
  });
});

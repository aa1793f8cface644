import { describe, expect, test } from "vitest";
import { digestOf, plainText } from "#server/blog/plain-text.ts";
import { slugOf } from "#server/blog/slugs.ts";
import { cpuMsOf } from "#tests/fixtures/cpu-time.ts";

const minutesOf = (markdown: string) => digestOf(markdown).minutes;
const summaryOf = (markdown: string) => digestOf(markdown).summary;

describe("plain text of Markdown", () => {
  test.each([
    ["marks", "# Title\n\nHello **bold**, *it*, ~~gone~~ and `code`.", "Title\n\nHello bold, it, gone and code."],
    ["links and pictures", "[here](http://x.y/a_(b)) ![no](u) [there][1]\n\n[1]: http://x.y", "here there"],
    ["a code block", "Before\n\n```js\nconst a = 1;\n```\n\nAfter", "Before\n\nAfter"],
    ["a code block without end", "Before\n\n~~~\nrest", "Before"],
    ["lists, tasks and quotes", "- [x] a\n- b\n1. c\n> d", "a\nb\nc\nd"],
    ["a table", "| a | b |\n|---|---|\n| 1 | 2 |", "a b\n\n1 2"],
    ["HTML", "<b>bold</b> <!-- hidden --> <https://a.b>", "bold https://a.b"],
    ["text that only looks like marks", "snake_case_name, 2 * 3 * 4, \\*star\\*", "snake_case_name, 2 * 3 * 4, *star*"],
  ])("extracts the plain text: %s", (_, markdown, text) => {
    expect(plainText(markdown)).toBe(text);
  });

  test.each([
    ["emphasis in emphasis", "***both*** **a *b* c** *a **b** c* **あ**い", "both a b c a b c あい"],
    ["emphasis over two lines", "**two\nlines** and *two  \nmore*", "two\nlines and two\nmore"],
    ["code with marks in it", "`**not bold**`, `a|b` and ``a ` b``", "**not bold**, a|b and a ` b"],
    ["a bar outside a table", "this | that", "this | that"],
    ["a bar in a table", "| a | b\\|c |\n|---|---|\n| `x` | **y** |", "a b|c\n\nx y"],
    ["indented code", "    const a = 1;\n\nText", "Text"],
    ["code in a quotation", "> ```\n> code\n> ```\n> text", "text"],
    ["code in a list", "- ```\n  code\n  ```\n- text", "text"],
    ["brackets in a link", "[a [b] c](u) and [d](u 't (x')", "a [b] c and d"],
    ["a link over two lines", "[two\nlines](u) and [x](u\n'title')", "two\nlines and x"],
    ["a link by reference", "[there] and [not there]\n\n[there]: http://x.y", "there and [not there]"],
    ["a link's definition over two lines", "[a]: u 'a\ntitle'\n\ntext", "text"],
    ["a picture over two lines", "![no\npicture](u) text", "text"],
    ["addresses", "<https://a.b/c_d_e> <a@b.c> https://x.y/z_b_c", "https://a.b/c_d_e a@b.c https://x.y/z_b_c"],
    ["a footnote", "Text[^1].\n\n[^1]: Its note.", "Text."],
    ["named characters", "a &amp; b &copy; &lt;b&gt;", "a & b © <b>"],
    ["an escaped mark", "\\`not code\\` a\\\nb", "`not code` a\nb"],
    ["a bracket in a tag", '<a title="a > b">x</a>', "x"],
    ["HTML that the page leaves out", "<script>\nalert(1)\n</script>\n\ntext", "text"],
    ["deleted text with one mark", "~a~ b", "a b"],
    ["lines of Windows", "# T\r\n\r\n**a\r\nb**", "T\n\na\nb"],
  ])("extracts the plain text of an edge case: %s", (_, markdown, text) => {
    expect(plainText(markdown)).toBe(text);
  });

  test("keeps all words of paragraphs with many marks and of deep quotations", () => {
    expect(plainText("**a** ".repeat(500)).match(/a/g)).toHaveLength(500);
    expect(plainText(`${"*b* ".repeat(500)}\n\n**c**`)).toMatch(/\n\nc$/);
    expect(plainText(`${"- *b* _c_\n".repeat(200)}- **d**`)).toBe(`${"b c\n".repeat(200)}d`);
    expect(plainText(`${"> ".repeat(10_000)}deep`)).toBe("deep");
    expect(plainText(`${"*[_`".repeat(200)}\n\`\`\`\ncode\n\`\`\`\n\nafter`)).toMatch(/^[^c]*\n\nafter$/);
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
  ])("extracts summary and reading time quickly from a text of nothing but %j", (piece) => {
    const text = `${piece.repeat(200_000 / piece.length)}x`;
    expect(cpuMsOf(() => [summaryOf(text), minutesOf(text)])).toBeLessThan(3000);
  });

  test("computes the reading time from words, or from characters in scripts without spaces", () => {
    expect(minutesOf("")).toBe(1);
    expect(minutesOf("word ".repeat(219))).toBe(1);
    expect(minutesOf("word ".repeat(2200))).toBe(10);
    expect(minutesOf("漢".repeat(2500))).toBe(5);
    // The part after the parser's limit counts too, with the addresses of its links but without its code.
    expect(minutesOf("Nine words of *it* that are [all](there) to read.\n\n".repeat(2200))).toBe(97);
    expect(minutesOf(`${"word ".repeat(8800)}\n\n\`\`\`\n${"code ".repeat(9000)}\n\`\`\``)).toBe(40);
    expect(minutesOf(`word\n\n\`\`\`\n${"code ".repeat(9000)}\n\`\`\``)).toBe(1);
  });

  test("the summary consists of the first whole sentences, without headings", () => {
    expect(summaryOf("# Title\n\nOne sentence. And **two**.")).toBe("One sentence. And two.");
    expect(summaryOf(`${"A sentence of some length. ".repeat(20)}`)).toMatch(/^(A sentence of some length\. ?){8}$/);
    expect(summaryOf("word ".repeat(100))).toMatch(/word…$/);
    expect(summaryOf("文です。".repeat(100))).toMatch(/。$/);
    expect(summaryOf("```\ncode\n```")).toBe("");
    expect(summaryOf("Title\n===\n\n> ## Another\n> One **two\n> three** `f(x)` &amp; [four].\n\n[four]: u")).toBe(
      "One two three f(x) & four.",
    );
  });
});

describe("slug of a title", () => {
  test.each([
    ["Über Größe & Maß", "ueber-groesse-mass"],
    ["Qu’est-ce que c’est ?", "qu-est-ce-que-c-est"],
    ["JavaScript & GDPR 2.0", "javascript-gdpr-2-0"],
    ["日本語", "post"],
    ["…", "post"],
    ["../../etc/passwd", "etc-passwd"],
  ])("turns the title %j into the slug %s", (title, slug) => {
    expect(slugOf(title)).toBe(slug);
  });

  test("cuts the slug of a long title after a word", () => {
    expect(slugOf("characters ".repeat(18))).toBe(Array.from({ length: 7 }, () => "characters").join("-"));
    expect(slugOf("x".repeat(200))).toHaveLength(80);
  });
});

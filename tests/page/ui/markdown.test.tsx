import { renderToStaticMarkup } from "react-dom/server";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { linkAddress, pictureAddress, sizedPicture } from "#src/ui/markdown/addresses.ts";
import { Markdown } from "#src/ui/markdown/markdown.tsx";

beforeAll(() => void vi.stubGlobal("location", new URL("https://page.test/blog/a-post")));

const shown = (text: string, lang?: string) => renderToStaticMarkup(<Markdown text={text} lang={lang} />);
const tagsOf = (html: string) => [...new Set([...html.matchAll(/<([a-z][a-z0-9]*)/g)].map(([, tag]) => tag))].sort();

describe("rendered Markdown", () => {
  it("begins headings at the second level, in the text's language", () => {
    const from = (marks: string) => shown(`${marks} One\n\n${marks}# Two`, "de");
    for (const marks of ["#", "##", "####"]) expect(from(marks)).toContain("<h2>One</h2>\n<h3>Two</h3>");
    expect(from("##")).toContain('lang="de"');
    expect(shown("# A\n\n###### F\n\n#### D")).toMatch(/<h2>A<\/h2>\s*<h6>F<\/h6>\s*<h5>D<\/h5>/);
  });

  it.each([
    "<script>alert(1)</script>",
    "before <script>alert(1)</script> after",
    '<iframe src="https://evil.test"></iframe>',
    '<img src="x" onerror="alert(1)">',
    '<a href="javascript:alert(1)">x</a>',
    '<svg onload="alert(1)"><script>alert(1)</script></svg>',
    '<style>body { display: none }</style>\n\n<link rel="stylesheet" href="https://evil.test/x.css">',
    '<form action="https://evil.test"><input name="password"><button>go</button></form>',
    '<details open ontoggle="alert(1)"><summary>x</summary></details>',
    "<!-- <b>hidden</b> -->",
    "| <iframe> | <script> |\n|---|---|\n| <object data=x> | <embed src=x> |",
  ])("renders no HTML of the text: %s", (text) => {
    const html = shown(`A paragraph.\n\n${text}\n\nAnother.`);
    expect(
      tagsOf(html).filter((tag) => !["div", "p", "section", "table", "thead", "tbody", "tr", "th", "td"].includes(tag ?? "")),
    ).toEqual([]);
    expect(html).not.toMatch(/ on\w+=|javascript:|evil\.test"/);
    expect(html).toContain("A paragraph.");
    expect(html).toContain("Another.");
  });

  it.each([
    "[x](javascript:alert(1))",
    "[x](JaVaScRiPt:alert(1))",
    "[x](java&#x09;script:alert(1))",
    "[x](vbscript:msgbox)",
    "[x](data:text/html,<script>alert(1)</script>)",
    "[x](file:///etc/passwd)",
    "[x](blob:https://page.test/1)",
    "[x][1]\n\n[1]: javascript:alert(1)",
    "<javascript:alert(1)>",
    "![x](javascript:alert(1))",
    "![x](data:image/svg+xml;base64,PHN2Zz4=)",
  ])("links nowhere by %s", (text) => {
    expect(shown(text)).not.toMatch(/<a |<img |href=|src=/);
  });

  it("marks links to other sites only", () => {
    const html = shown("[out](https://other.test/a) [in](/blog/b?x=1#y) [mail](mailto:a@b.test) [part](#note) https://bare.test");
    expect(html).toMatch(
      /<a href="https:\/\/other\.test\/a"[^>]*rel="noopener noreferrer"[^>]*>out<span class="visuallyHidden">/,
    );
    expect(html).toContain('<a href="/blog/b?x=1#y">in</a>');
    expect(html).toContain('<a href="mailto:a@b.test">mail</a>');
    expect(html).toContain('<a href="#note">part</a>');
    expect(html).toContain('href="https://bare.test/"');
  });

  it("lazy-loads its own pictures with their size, and links foreign ones", () => {
    expect(shown("![A cat](/blog/images/cat.webp#640x480)")).toMatch(
      /<img [^>]*src="https:\/\/page\.test\/blog\/images\/cat\.webp" alt="A cat" width="640" height="480" loading="lazy" decoding="async"/,
    );
    const foreign = shown("![A cat](https://cats.test/cat.png)");
    expect(foreign).not.toContain("<img");
    expect(foreign).toContain('<a href="https://cats.test/cat.png"');
    expect(shown("[![A cat](https://cats.test/cat.png)](https://cats.test)").match(/<a /g)).toHaveLength(1);
  });

  it("renders scrollable tables and code, task lists, strikethrough and footnotes", () => {
    expect(shown("| a | b |\n|:-:|--:|\n| 1 | 2 |")).toMatch(/<section [^>]*tabindex="0"[^>]*><table>.*text-align:center/is);
    expect(shown("```ts\nconst a = '<b>';\n```")).toMatch(/<pre tabindex="0"><code[^>]*>const a = .*&lt;b&gt;/);
    const tasks = shown("- [x] one\n- [ ] two");
    expect(tasks.match(/<input type="checkbox" disabled=""/g)).toHaveLength(2);
    expect(tasks.match(/checked=""/g)).toHaveLength(1);
    expect(shown("~~gone~~")).toContain("<del>gone</del>");
    const notes = shown("Said[^1].\n\n[^1]: By whom.");
    for (const [, id] of notes.matchAll(/href="#([^"]+)"/g)) expect(notes).toContain(`id="${id}"`);
  });

  it("renders Markdown with huge tables, long lines and deep nesting", () => {
    expect(shown(`| a |\n|---|\n${"| 1 |\n".repeat(2_000)}`).match(/<td>/g)).toHaveLength(2_000);
    expect(shown(`${"|a".repeat(1_000)}|\n${"|-".repeat(1_000)}|`).match(/<th>/g)).toHaveLength(1_000);
    expect(shown("word".repeat(20_000)).length).toBeGreaterThan(80_000);
    expect(shown(`${"> ".repeat(3_000)}deep`)).toContain("deep");
    expect(shown(`${"*a ".repeat(2_000)}`)).toContain("*a");
    expect(shown("")).toContain("<div");
  });
});

describe("addresses in Markdown", () => {
  const places = { page: "https://page.test/blog/a", api: "https://api.test:3000" };

  it.each([
    ["/blog/images/1.webp", "https://api.test:3000/blog/images/1.webp", true],
    ["https://api.test:3000/blog/images/1.webp", "https://api.test:3000/blog/images/1.webp", true],
    ["/demo.png", "https://page.test/demo.png", true],
    ["http://page.test/demo.png", "http://page.test/demo.png", false],
    ["//evil.test/x.png", "https://evil.test/x.png", false],
    ["https://page.test@evil.test/x.png", "https://page.test@evil.test/x.png", false],
  ])("shows a picture of Markdown at the address %s", (src, whole, own) => {
    expect(pictureAddress(src, places)).toMatchObject({ src: whole, own });
  });

  it.each([undefined, "", "data:image/png;base64,AA", "blob:https://page.test/1", "javascript:1", "http://[", "mailto:a@b.test"])(
    "shows no picture of Markdown at the address %s",
    (src) => expect(pictureAddress(src, places)).toBeUndefined(),
  );

  it("the address of a picture contains its size only as whole numbers", () => {
    expect(sizedPicture("https://api.test:3000/i#1x1", { width: 640, height: 480 })).toBe("https://api.test:3000/i#640x480");
    expect(sizedPicture("https://api.test:3000/i", { width: 640 })).toBe("https://api.test:3000/i");
    expect(pictureAddress("/i#640x480", places)?.size).toEqual({ width: 640, height: 480 });
    for (const wrong of ["#0x480", "#640", "#-1x1", "#999999x1", ""]) {
      expect(pictureAddress(`/i${wrong}`, places)?.size).toBeUndefined();
    }
  });

  it.each([
    ["/blog/b", { href: "/blog/b", external: false }],
    ["b?x=1", { href: "/blog/b?x=1", external: false }],
    ["https://page.test/pricing", { href: "/pricing", external: false }],
    ["//evil.test", { href: "https://evil.test/", external: true }],
    ["/\\evil.test", { href: "https://evil.test/", external: true }],
    ["https://page.test.evil.test/", { href: "https://page.test.evil.test/", external: true }],
    ["javascript:alert(1)", undefined],
    ["http://[", undefined],
  ])("resolves a link of Markdown to %s", (href, address) => expect(linkAddress(href, places)).toEqual(address));
});

import { describe, expect, test } from "vitest";
import { readEntries } from "#server/uploads/fetching/feed.ts";
import { decodeFeed, legibleHead } from "#server/uploads/fetching/feed-text.ts";

const rss = (title: string, declaration = "") =>
  `${declaration}<rss version="2.0"><channel><title>Talks</title><item><title>${title}</title><enclosure url="/a.mp3"/></item></channel></rss>`;
const titleIn = (document: Uint8Array, type = "") => readEntries(document, "https://pod.example/", type).entries[0]?.title;
const declared = (encoding: string) => `<?xml version="1.0" encoding="${encoding}"?>`;
const utf8 = (text: string) => Buffer.from(text);
const latin = (text: string) => Buffer.from(text, "latin1");
const swapped = (text: string) => Buffer.from(text, "utf16le").swap16();

describe("encoding of a feed", () => {
  test.each([
    ["in UTF-8, as it says", utf8(rss("Café", declared("UTF-8"))), ""],
    ["in UTF-8, and says nothing", utf8(rss("Café")), ""],
    ["in UTF-8 with its mark", utf8(`\ufeff${rss("Café", declared("ISO-8859-1"))}`), "text/xml; charset=iso-8859-1"],
    ["in UTF-8, and says ISO-8859-1", utf8(rss("Café", declared("ISO-8859-1"))), ""],
    ["in UTF-8, and says windows-1252 to its server", utf8(rss("Café")), 'application/rss+xml; charset="windows-1252"'],
    ["in UTF-8, and says UTF-16", utf8(rss("Café", declared("utf-16"))), ""],
    ["in UTF-8, and says what nobody knows", utf8(rss("Café", declared("utf8mb4"))), "text/xml; charset=x"],
    ["in ISO-8859-1, as it says", latin(rss("Café", declared("ISO-8859-1"))), ""],
    ["in ISO-8859-1, as its server says", latin(rss("Café")), "text/xml;charset=ISO-8859-1"],
    ["in ISO-8859-1, and says UTF-8", latin(rss("Café", declared("UTF-8"))), "text/xml; charset=utf-8"],
    ["in ISO-8859-1, and says nothing", latin(rss("Café")), ""],
    ["in UTF-16 with its mark", Buffer.from(`\ufeff${rss("Café", declared("utf-16"))}`, "utf16le"), ""],
    ["in UTF-16 without its mark", Buffer.from(rss("Café", declared("utf-16")), "utf16le"), ""],
    ["in UTF-16 the other way round", swapped(`\ufeff${rss("Café")}`), "text/xml; charset=utf-8"],
    ["in UTF-16 the other way round, without its mark", swapped(rss("Café", declared("utf-16"))), ""],
  ])("reads a feed that is %s", (_name, document, type) => {
    expect(titleIn(document, type)).toBe("Café");
  });

  test("prefers the server's encoding to the document's", () => {
    const cyrillic = Buffer.concat([utf8("<rss>"), Buffer.from([0xcc, 0xe8, 0xf0])]);
    expect(decodeFeed(cyrillic, "text/xml; charset=windows-1251")).toBe("<rss>Мир");
    const both = Buffer.concat([utf8(declared("koi8-r")), Buffer.from([0xcc, 0xe8, 0xf0])]);
    expect(decodeFeed(both, "text/xml; charset=windows-1251")).toContain("Мир");
    expect(decodeFeed(Buffer.from('\u001b$B$"\u001b(B'), "text/xml; charset=iso-2022-jp")).toBe("あ");
  });

  test("decodes a feed as UTF-8 although one letter is cut in two", () => {
    const cut = Buffer.concat([utf8(rss("Où est le café à").slice(0, -8)), Buffer.from([0xc3]), utf8("</rss>")]);
    expect(decodeFeed(cut, "")).toContain("Où est le café à");
  });

  test("finds the root element at the start in any encoding and after a byte order mark", () => {
    for (const document of [utf8(`\ufeff \n${rss("a")}`), swapped(rss("a")), Buffer.from(`\ufeff\n${rss("a")}`, "utf16le")]) {
      expect(legibleHead(document)).toMatch(/^<rss /);
    }
  });
});

test.each([
  ["Tom &amp;amp; Jerry &amp;#8217;s", "Tom & Jerry ’s"],
  ["<![CDATA[<b>Tom</b> &amp; Jerry<br/>]]>", "Tom & Jerry"],
  ["&lt;i class='x'&gt;Tom&lt;/i&gt; 3 &lt; 5", "Tom 3 < 5"],
  ["A&amp;nbsp;B&#160;C", "A B C"],
])("turns HTML in a title into plain text: %s", (written, title) => {
  expect(titleIn(utf8(rss(written)))).toBe(title);
});

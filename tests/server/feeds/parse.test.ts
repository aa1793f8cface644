import { describe, expect, test } from "vitest";
import type { Known } from "#server/feeds/known.ts";
import { maxNew, newIn, pauseAfter, waitAfter } from "#server/feeds/rules.ts";
import { type Entry, maxEntries, readEntries } from "#server/uploads/fetching/feed.ts";
import { isFeed } from "#server/uploads/fetching/feed-tasks.ts";

const read = (text: string | Buffer) => readEntries(Buffer.from(text), "https://pod.example/shows/feed.xml");
const rss = (items: string, before = "") => `${before}<rss version="2.0"><channel><title>Talks</title>${items}</channel></rss>`;
const talk = '<item><enclosure url="talk.mp3"/></item>';
const day = 24 * 60 * 60_000;

describe("parser of feeds", () => {
  test("reads titles, dates, lengths and recordings of RSS, Atom and JSON Feed, newest first", () => {
    const item = (title: string, guid: string, date: string) =>
      `<item><title>${title}</title><guid>${guid}</guid><pubDate>${date}</pubDate><enclosure url="../${guid}.mp3?a=1&amp;b=2" type="audio/mpeg"/></item>`;
    const old = item("Old", "g1", "Mon, 02 Mar 2026 06:00:00 GMT");
    const latest = item("<![CDATA[Q &\n A\u0007]]>", "g2", "Tue, 03 Mar 2026 06:00:00 +0100");
    const found = read(rss(old + latest, '<?xml version="1.0"?>'));
    expect(found).toMatchObject({
      title: "Talks",
      entries: [
        { title: "Q & A", url: "https://pod.example/g2.mp3?a=1&b=2", publishedAt: Date.parse("2026-03-03T05:00:00Z") },
        { title: "Old", seconds: null },
      ],
    });
    const atom = `<feed xmlns="http://www.w3.org/2005/Atom"><title>A</title><entry><id>e1</id><title>Talk</title><updated>2026-03-01T00:00:00Z</updated>
      <link rel="alternate" href="/page"/><link rel="enclosure" href="/talk.ogg" type="audio/ogg"/></entry></feed>`;
    expect(read(atom).entries).toMatchObject([{ title: "Talk", url: "https://pod.example/talk.ogg" }]);
    const attachments = [{ url: "https://a.example/x.mp3", mime_type: "audio/mpeg", duration_in_seconds: 61.4 }];
    const json = { version: "https://jsonfeed.org/version/1.1", title: "J", items: [{ id: "1", attachments }] };
    expect(read(JSON.stringify(json)).entries).toMatchObject([
      { url: "https://a.example/x.mp3", seconds: 61, publishedAt: null },
    ]);
    const latin = Buffer.from(rss(latest.replace("Q", "é"), '<?xml version="1.0" encoding="ISO-8859-1"?>'), "latin1");
    expect(readEntries(latin, "https://pod.example/").entries[0]?.title).toBe("é & A");
  });

  test("distinguishes a feed from a web page", () => {
    expect(isFeed(rss(""))).toBe(true);
    expect(isFeed('<feed xmlns="http://www.w3.org/2005/Atom">')).toBe(true);
    expect(isFeed('{ "version": "https://jsonfeed.org/version/1.1" }')).toBe(true);
    expect(isFeed("<!doctype html><html><head><title>rss</title>")).toBe(false);
    expect(isFeed("<rssfoo>")).toBe(false);
    expect(isFeed('{ "version": 1 }')).toBe(false);
  });

  test("reads comments, CDATA and both kinds of quotes as XML does", () => {
    const found = read(
      rss(
        `<!-- <item><enclosure url='commented.mp3'/></item> -->
        <item><title>First</title><description><![CDATA[<enclosure url="fake.mp3"/>]]></description>
        <enclosure type='audio/mpeg'\n url='https://a.example/x.mp3?a=1&amp;b=&#50;' /></item>
        <item><title>Second</title><enclosure url="second.mp3"/></item>`,
      ),
    );
    expect(found.entries.map(({ title, url }) => [title, url])).toEqual([
      ["First", "https://a.example/x.mp3?a=1&b=2"],
      ["Second", "https://pod.example/shows/second.mp3"],
    ]);
  });

  test("skips entries without a recording, with pictures or with invalid addresses", () => {
    const file = (url: string, type = "") => `<item><title>x</title><enclosure url="${url}" type="${type}"/></item>`;
    const items = [
      "<item><title>News</title></item>",
      file("a.jpg", "image/jpeg"),
      file("ftp://a.example/a.mp3"),
      file("http://"),
    ];
    expect(read(rss(items.join("") + file("talk.mp3"))).entries).toHaveLength(1);
    expect(read(rss("")).entries).toEqual([]);
  });

  test.each([
    ["a web page", "<!doctype html><html><body>rss</body></html>"],
    ["text", "hello"],
    ["nothing", ""],
    ["cut off", "<rss><channel><item><title"],
    ["JSON other than a feed", '{"items":1}'],
    ["a document type", rss("<item/>", '<!DOCTYPE rss [<!ENTITY a "ha">]>')],
    [
      "entities that name a file",
      rss("<item><title>&x;</title></item>", '<!DOCTYPE rss [<!ENTITY x SYSTEM "file:///etc/hostname">]>'),
    ],
    ["a document type after a comment that names a feed", rss(talk, "<!-- <rss> -->\n<!DOCTYPE rss []>")],
    ["a document type in small letters", rss(talk, "<!doctype rss>")],
    ["a document type within the feed", rss(`<!DOCTYPE rss [<!ENTITY a "ha">]>${talk}`)],
    ["a document type after the feed", `${rss(talk)}<!DOCTYPE rss []>`],
    ["a document type after a CDATA section", rss(`<x><![CDATA[ <!-- ]]></x><!DOCTYPE rss []>${talk}`)],
    ["a document type after a false comment", rss(`<x y="<!--"/><!DOCTYPE rss []><x y="-->"/>${talk}`)],
    ["a document type after a quote in an end tag", rss(`<x></x'><!DOCTYPE rss []><x></x'>${talk}`)],
    ["a document type after an instruction", rss(talk, "<?x <!-- ?><!DOCTYPE rss []><!-- -->")],
    ["a document type between instructions with quotes", rss(talk, `<?x "?><!DOCTYPE rss []><?y "?>`)],
    ["a document type after a less-than sign and a quote", rss(`<description>a < b it's</description><!DOCTYPE rss []>${talk}`)],
    ["an entity without a document type", rss(`<!ENTITY a "ha">${talk}`)],
    ["a document type in UTF-16", Buffer.from(`\ufeff${rss(talk, "<!DOCTYPE rss []>")}`, "utf16le")],
    ["a document type in UTF-16 without a byte order mark", Buffer.from(rss(`<!DOCTYPE rss []>${talk}`), "utf16le").swap16()],
  ])("refuses %s as a feed", (_name, text) => {
    expect(() => read(text)).toThrow(expect.objectContaining({ code: "notAudio" }));
  });

  test("accepts a document type in a comment, in CDATA, in an attribute and in JSON", () => {
    const page = "<!DOCTYPE html><rss version='2.0'><channel/></rss>";
    expect(
      read(rss(`<!-- ${page} --><x y="${page}"/><description><![CDATA[${page}]]></description>${talk}`)).entries,
    ).toHaveLength(1);
    const items = [{ id: "1", content_html: page, attachments: [{ url: "https://a.example/x.mp3", mime_type: "audio/mpeg" }] }];
    const json = { version: "https://jsonfeed.org/version/1.1", title: "J", items };
    expect(read(JSON.stringify(json)).entries).toHaveLength(1);
  });

  test("refuses a feed of a million entries at once, and reads only the newest of too many", () => {
    const begin = process.cpuUsage();
    expect(() => read(rss("<item/>".repeat(700_000)))).toThrow(expect.objectContaining({ code: "tooLarge" }));
    // User CPU time in seconds.
    expect(process.cpuUsage(begin).user / 1e6).toBeLessThan(1);
    const dated = Array.from({ length: maxEntries + 5 }, (_, at) => {
      const date = new Date(Date.UTC(2020, 0, 1 + at)).toUTCString();
      return `<item><title>${at}</title><pubDate>${date}</pubDate><enclosure url="/${at}.mp3"/></item>`;
    });
    const { entries } = read(rss(dated.join("")));
    expect([entries.length, entries[0]?.title]).toEqual([maxEntries, String(maxEntries + 4)]);
  });

  test.each([
    ["nested elements", "<a>"],
    ["CDATA sections", "<![CDATA["],
    ["comments", "<!--"],
    ["less-than signs", "<"],
    ["character references", "&amp;"],
    ["attributes", "<a b='1' "],
  ])("parses five megabytes of %s in limited time", (_name, part) => {
    const begin = process.cpuUsage();
    try {
      read(rss(`<item><title>${part.repeat(Math.floor(4_900_000 / part.length))}</title></item>`));
    } catch (error) {
      expect(error).toMatchObject({ code: "notAudio" });
    }
    expect(process.cpuUsage(begin).user / 1e6).toBeLessThan(10);
  });
});

describe("new entries of a feed", () => {
  const now = 100 * day;
  const entry = (key: string, publishedAt: number | null): Entry => ({ key, title: key, url: "", publishedAt, seconds: null });
  const known = (key: string, published_at: number, state = "seen"): Known => ({
    key,
    url: "",
    state,
    published_at,
    found_at: published_at,
  });
  const keysOf = (entries: readonly Entry[]) => entries.map(({ key }) => key);

  test("takes unknown entries that are at most a week older than the newest known one", () => {
    const entries = [entry("new", now), entry("late", now - 8 * day), entry("a", now - 2 * day), entry("old", now - 10 * day)];
    const found = newIn(entries, [known("a", now - 2 * day)]);
    expect([keysOf(found.wanted), keysOf(found.others)]).toEqual([["new", "late"], ["old"]]);
  });

  test("does not take all old episodes when all entries of a feed get new names", () => {
    const renamed = Array.from({ length: 300 }, (_, at) => entry(`n${at}`, now - 7 * at * day));
    expect(keysOf(newIn(renamed, [known("a", now), known("b", now - 7 * day)]).wanted)).toEqual(["n0"]);
    const undated = renamed.map(({ key }) => entry(key, null));
    expect(keysOf(newIn(undated, [known("a", now)]).wanted)).toEqual(["n0"]);
  });

  test("takes the oldest of too many new entries first and leaves the others to the next poll", () => {
    const undated = Array.from({ length: maxNew + 2 }, (_, at) => entry(`n${at}`, null));
    // One known entry shows that the others are new.
    const entries = [...undated, entry("a", null)];
    const first = newIn(entries, [known("a", now)]);
    expect([first.wanted.length, keysOf(first.wanted)[0], first.others, first.isMore]).toEqual([maxNew, "n2", [], true]);
    const then = newIn(entries, [known("a", now), ...first.wanted.map(({ key }) => known(key, now))]);
    expect([keysOf(then.wanted), then.isMore]).toEqual([["n0", "n1"], false]);
  });

  test("forgets the oldest entries that left the feed, but none that waits", () => {
    const gone = Array.from({ length: 2_003 }, (_, at) => known(`g${at}`, at));
    const { forgotten } = newIn([entry("a", now)], [known("a", now), known("w", 0, "waiting"), ...gone]);
    expect(forgotten.toSorted()).toEqual(["g0", "g1", "g2"]);
  });
});

test("polls a feed every hour, less often after failures, and pauses it after a week of failures", () => {
  const minute = 60_000;
  expect([waitAfter(0, 0), waitAfter(0, 0.5), waitAfter(0, 1)]).toEqual([54 * minute, 60 * minute, 66 * minute]);
  expect([waitAfter(1, 0.5), waitAfter(3, 0.5), waitAfter(50, 0.5)]).toEqual([120 * minute, 480 * minute, day]);
  expect(pauseAfter(500, { failures: 10, since: 0, now: 7 * day - 1 })).toBeUndefined();
  expect(pauseAfter(undefined, { failures: 9, since: 0, now: 8 * day })).toBeUndefined();
  expect(pauseAfter(undefined, { failures: 10, since: 0, now: 7 * day })).toBe("failing");
  expect(pauseAfter(410, { failures: 1, since: 0, now: 0 })).toBe("gone");
});

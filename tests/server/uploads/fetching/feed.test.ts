import { describe, expect, test } from "vitest";
import { isFeed, newestEpisode } from "#server/uploads/fetching/feed.ts";

const rss = (...items: string[]) =>
  `<?xml version="1.0"?><rss version="2.0"><channel><title>Talks</title>${items.join("")}</channel></rss>`;
const item = (title: string, url: string, date = "") =>
  `<item><title>${title}</title>${date && `<pubDate>${date}</pubDate>`}<enclosure url="${url}" length="1" type="audio/mpeg"/></item>`;

describe("a feed", () => {
  test("is distinguished from a page", () => {
    expect(isFeed(rss())).toBe(true);
    expect(isFeed('<feed xmlns="http://www.w3.org/2005/Atom">')).toBe(true);
    expect(isFeed("<!doctype html><html><head><title>rss</title>")).toBe(false);
    expect(isFeed("<rssfoo>")).toBe(false);
  });

  test("gives its newest episode, wherever that stands", () => {
    const old = item("Old", "https://a.example/old.mp3", "Mon, 02 Mar 2026 06:00:00 GMT");
    const latest = item("New", "https://a.example/new.mp3", "Tue, 03 Mar 2026 06:00:00 +0100");
    expect(newestEpisode(rss(old, latest))).toEqual({ url: "https://a.example/new.mp3", title: "New" });
    expect(newestEpisode(rss(latest, old))).toEqual({ url: "https://a.example/new.mp3", title: "New" });
  });

  test("without dates gives the first", () => {
    expect(newestEpisode(rss(item("One", "1.mp3"), item("Two", "2.mp3")))?.title).toBe("One");
  });

  test("is read as XML is: entities, CDATA, comments, either quotes", () => {
    const xml = rss(
      "<!-- <item><enclosure url='commented.mp3'/></item> -->",
      `<item><title><![CDATA[Q & A: <b>"why"</b>]]></title><description><![CDATA[<enclosure url="fake.mp3"/>]]></description>
       <enclosure type='audio/mpeg'\n url='https://a.example/x.mp3?a=1&amp;b=&#50;' /></item>`,
    );
    expect(newestEpisode(xml)).toEqual({ url: "https://a.example/x.mp3?a=1&b=2", title: 'Q & A: <b>"why"</b>' });
  });

  test("of Atom has its recordings in links", () => {
    const entry = `<entry><title>Talk</title><updated>2026-03-01T00:00:00Z</updated>
      <link rel="alternate" href="https://a.example/page"/><link href="https://a.example/talk.ogg" rel="enclosure" type="audio/ogg"/></entry>`;
    expect(newestEpisode(`<feed>${entry}</feed>`)).toEqual({ url: "https://a.example/talk.ogg", title: "Talk" });
  });

  test("may hold items without a recording, or with a picture instead", () => {
    const bare = "<item><title>News</title></item>";
    const picture = '<item><title>Cover</title><enclosure url="cover.jpg" type="image/jpeg"/></item>';
    expect(newestEpisode(rss(bare, picture))).toBeUndefined();
    expect(newestEpisode(rss(bare, picture, item("Talk", "talk.mp3")))?.url).toBe("talk.mp3");
  });

  test.each([
    ["cut off", '<rss><item><enclosure url="a.mp3"'],
    ["an unfinished CDATA section", "<rss><item><![CDATA[ <enclosure url='a.mp3'/></item>"],
    ["items that are something else", "<rss><items><enclosure url='a.mp3'/></items>"],
  ])("that is broken (%s) does no harm", (_name, xml) => {
    expect(() => newestEpisode(xml)).not.toThrow();
  });

  test.each([
    ["sections", "<![CDATA[]]>"],
    ["beginnings of sections", "<!"],
    ["items", "<item><enclosure "],
    ["attributes", "a = "],
    ["one long word", "a"],
    ["spaces", " "],
    ["entities", "&amp;"],
  ])("of eight megabytes of %s is read in a moment", (_name, part) => {
    const begin = process.cpuUsage();
    newestEpisode(
      `<rss><item><title>${part.repeat(Math.floor(4_000_000 / part.length))}</title><enclosure x="${part.repeat(Math.floor(4_000_000 / part.length))}" url="a.mp3"/></item></rss>`,
    );
    newestEpisode(`<rss><item><enclosure ${part.repeat(Math.floor(8_000_000 / part.length))}></item></rss>`);
    // Of the processor, in seconds: other tests may run beside this one.
    expect(process.cpuUsage(begin).user / 1e6).toBeLessThan(4);
  });
});

import { describe, expect, test } from "vitest";
import { readEntries } from "#server/uploads/fetching/feed.ts";
import { orderOf, readDate } from "#server/uploads/fetching/feed-date.ts";

describe("date in a feed", () => {
  test.each([
    // Names of zones.
    ["Sun, 29 Jan 2017 00:00:00 CEST", "2017-01-28T22:00:00Z"],
    ["Sun, 29 Jan 2017 00:00:00 EET", "2017-01-28T22:00:00Z"],
    ["Sun, 29 Jan 2017 00:00:00 BST", "2017-01-28T23:00:00Z"],
    ["Sun, 29 Jan 2017 00:00:00 PST", "2017-01-29T08:00:00Z"],
    ["Sun, 29 Jan 2017 00:00:00 edt", "2017-01-29T04:00:00Z"],
    ["Sun, 29 Jan 2017 00:00:00 JST", "2017-01-28T15:00:00Z"],
    ["Sun, 29 Jan 2017 00:00:00 Europe/Berlin", "2017-01-28T23:00:00Z"],
    ["Sun, 29 Jan 2017 00:00:00 Pacific Standard Time", "2017-01-29T08:00:00Z"],
    ["2017-07-29T00:00:00[Europe/Berlin]", "2017-07-28T22:00:00Z"],
    ["Sun, 29 Jan 2017 00:00:00 Nowhere/Land", "2017-01-29T00:00:00Z"],
    ["Sun, 29 Jan 2017 00:00:00 -5", "2017-01-29T05:00:00Z"],
    ["Sun, 29 Jan 2017 00:00:00 GMT+01:00", "2017-01-28T23:00:00Z"],
    ["2017-08-01 13:55:44.364419679 +0200 CEST", "2017-08-01T11:55:44.364Z"],
    ["Tue Nov 23 2021 13:44:16 GMT+0100 (heure normale d’Europe centrale)", "2021-11-23T12:44:16Z"],
    ["Thu Jan  2 03:04:05 CET 2020", "2020-01-02T02:04:05Z"],
    // Parts that are missing, short, long or wrong.
    ["29 Jan 17 00:00 GMT", "2017-01-29T00:00:00Z"],
    ["Sun, 29 Jan 98 00:00:00 GMT", "1998-01-29T00:00:00Z"],
    ["Friday, 29 January 2017", "2017-01-29T00:00:00Z"],
    ["WED,23 MAY 2012 02:23:01", "2012-05-23T02:23:01Z"],
    ["Mon, May 25 2020 04:45:26 +0000", "2020-05-25T04:45:26Z"],
    ["Tue, 18 Sept 2018 15:53:56 +0300", "2018-09-18T12:53:56Z"],
    ["tue, 18 sep 2018 15:53:56 gmt", "2018-09-18T15:53:56Z"],
    ["Thu, 2 Jan 2020 12:04 am EST", "2020-01-02T05:04:00Z"],
    ["January 2nd, 2020 at 3 p.m.", "2020-01-02T15:00:00Z"],
    ["Thu, 02 Jan 2020 24:00:00 GMT", "2020-01-03T00:00:00Z"],
    ["Thu, 02 Jan 2020 03:04:05 +0100 (published late)", "2020-01-02T02:04:05Z"],
    // Other languages.
    ["Di, 03 Mär 2020 10:00:00 +0100", "2020-03-03T09:00:00Z"],
    ["Donnerstag, 2. Jänner 2020, 15:04 Uhr", "2020-01-02T15:04:00Z"],
    ["mar., 04 févr. 2020 10:00:00 +0100", "2020-02-04T09:00:00Z"],
    ["jeudi 2 août 2018 à 15h04", "2018-08-02T15:04:00Z"],
    ["7 de enero de 2019 10:00", "2019-01-07T10:00:00Z"],
    ["mer, 8 mag 2019 10:00:00 +0200", "2019-05-08T08:00:00Z"],
    ["qua, 08 fev 2019 10:00:00 -0300", "2019-02-08T13:00:00Z"],
    ["ma, 05 mrt 2019 10:00:00 +0100", "2019-03-05T09:00:00Z"],
    ["tir, 07 okt 2019 10:00:00 +0200", "2019-10-07T08:00:00Z"],
    ["śr, 04 mar 2020 10:00:00 +0100", "2020-03-04T09:00:00Z"],
    ["вт, 3 марта 2020 г. 10:00", "2020-03-03T10:00:00Z"],
    ["2020年1月2日 03:04", "2020-01-02T03:04:00Z"],
    // Numbers.
    ["2020-01-02 03:04:05", "2020-01-02T03:04:05Z"],
    ["2020-01-02T03:04", "2020-01-02T03:04:00Z"],
    ["2020-01-02T03:04:05+02", "2020-01-02T01:04:05Z"],
    ["2020-1-2", "2020-01-02T00:00:00Z"],
    ["20200102T030405Z", "2020-01-02T03:04:05Z"],
    ["2.1.2020 3:04", "2020-01-02T03:04:00Z"],
    ["25/12/2020", "2020-12-25T00:00:00Z"],
    ["12/25/20 10:00 pm", "2020-12-25T22:00:00Z"],
    ["1577934245", "2020-01-02T03:04:05Z"],
    ["1577934245123", "2020-01-02T03:04:05.123Z"],
  ])('reads the date "%s"', (written, at) => {
    expect(new Date(readDate(written) ?? Number.NaN).toISOString()).toBe(new Date(at).toISOString());
  });

  test.each([
    ...["", "today", "yesterday", "in 3 days", "May", "2020", "12", "Episode 12", "Ep. 5 at 10:30", "Invalid Date", "April 2020"],
    ...["02/03/2020", "Thu, 30 Feb 2020 03:04:05 GMT", "Thu, 32 Jan 2020", "2020-13-01", "Thu, 02 Jan 2020 25:00:00 GMT"],
    ...["0000-00-00 00:00:00", "Thu, 01 Jan 1970 00:00:00 +0000", "Mon, 01 Jan 0001 00:00:00 GMT", "0", "-1", "1 jui 2020"],
    ...["192.168.10.20", "1.2.3", "+1 555 123 4567", "9".repeat(10_000), "1 ".repeat(10_000)],
  ])('finds no date in "%s"', (written) => {
    expect(readDate(written)).toBeNull();
  });

  test("accepts a date of tomorrow but none later", () => {
    const now = Date.parse("2026-03-01T12:00:00Z");
    expect(readDate("2 Mar 2026 11:00", undefined, now)).toBe(Date.parse("2026-03-02T11:00:00Z"));
    expect(readDate("3 Mar 2026 11:00", undefined, now)).toBeNull();
  });

  test("reads an ambiguous order of day and month like the other dates of the feed", () => {
    expect([orderOf(["02/03/2020", "25/12/2020"]), orderOf(["12/25/2020"]), orderOf(["25/12/2020", "12/25/2020"])]).toEqual([
      "dayFirst",
      "monthFirst",
      undefined,
    ]);
    expect(readDate("02/03/2020", "dayFirst")).toBe(Date.UTC(2020, 2, 2));
    expect(readDate("02/03/2020", "monthFirst")).toBe(Date.UTC(2020, 1, 3));
  });
});

describe("order of episodes by date", () => {
  const titles = (items: readonly (readonly [title: string, date: string])[], more = "") => {
    const texts = items.map(
      ([title, date]) => `<item><title>${title}</title>${date}<enclosure url="/${title}.mp3" type="audio/mpeg"/></item>`,
    );
    const dc = 'xmlns:dc="http://purl.org/dc/elements/1.1/"';
    const document = `<rss version="2.0" ${dc}><channel><title>Talks</title>${more}${texts.join("")}</channel></rss>`;
    return readEntries(new TextEncoder().encode(document), "https://pod.example/").entries.map(({ title }) => title);
  };
  const on = (date: string) => `<pubDate>${date}</pubDate>`;

  test("puts the newest episode first in spite of time zones and languages of the dates", () => {
    expect(
      titles([
        ["old", on("Sat, 28 Jan 2017 00:00:00 GMT")],
        ["new", on("Sun, 29 Jan 2017 23:00:00 CEST")],
        ["middle", on("dim., 29 janv. 2017 10:00:00 +0100")],
      ]),
    ).toEqual(["new", "middle", "old"]);
  });

  test("keeps the feed's order when a date is missing or unreadable, and uses another date field", () => {
    const [two, one] = [on("Mon, 02 Mar 2026 06:00:00 GMT"), on("Sun, 01 Mar 2026 06:00:00 GMT")];
    expect(
      titles([
        ["c", on("the day after")],
        ["b", two],
        ["a", one],
      ]),
    ).toEqual(["c", "b", "a"]);
    expect(
      titles([
        ["c", two],
        ["b", ""],
        ["a", one],
      ]),
    ).toEqual(["c", "b", "a"]);
    expect(
      titles([
        ["a", one],
        ["b", two],
        ["c", ""],
      ]),
    ).toEqual(["c", "b", "a"]);
    expect(
      titles([
        ["a", one],
        ["b", "<dc:date>2026-03-01T07:00:00Z</dc:date>"],
      ]),
    ).toEqual(["b", "a"]);
  });

  test("puts an episode with a date in the far future last", () => {
    const [later, now] = [on("Mon, 02 Mar 2099 06:00:00 GMT"), on("Sun, 01 Mar 2026 06:00:00 GMT")];
    expect(
      titles([
        ["b", now],
        ["a", on("Sat, 28 Feb 2026 06:00:00 GMT")],
        ["typo", later],
      ]),
    ).toEqual(["b", "a", "typo"]);
  });
});

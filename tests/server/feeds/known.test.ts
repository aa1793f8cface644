import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import type { Known } from "#server/feeds/known.ts";
import { episodeRow } from "#server/feeds/poll-feed.ts";
import { newIn } from "#server/feeds/rules.ts";
import { type Entry, readEntries } from "#server/uploads/fetching/feed.ts";
import { recordingName } from "#server/uploads/fetching/feed-address.ts";

const day = 24 * 60 * 60_000;
const start = Date.parse("2026-03-01T06:00:00Z");

interface Item {
  guid?: string;
  url: string;
  /** Days after the start. */
  at?: number;
}

function entriesOf(items: readonly Item[]): Entry[] {
  const texts = items.map(({ guid, url, at }) => {
    const date = at === undefined ? "" : `<pubDate>${new Date(start + at * day).toUTCString()}</pubDate>`;
    const name = guid === undefined ? "" : `<guid>${guid}</guid>`;
    return `<item><title>${url.replaceAll("&", "&amp;")}</title>${name}${date}<enclosure url="${url.replaceAll("&", "&amp;")}"/></item>`;
  });
  const document = `<rss version="2.0"><channel><title>Talks</title>${texts.join("")}</channel></rss>`;
  return readEntries(new TextEncoder().encode(document), "https://pod.example/").entries;
}

/**
 * Polls a feed that is followed from the first document on.
 * @returns the addresses of the new episodes in each later document
 */
function polled([first = [], ...documents]: readonly (readonly Item[])[], rows: Known[] = []): string[][] {
  const feed = { id: "f", user_id: "u" };
  const known = new Map(rows.map((row) => [row.key, row]));
  const note = (entry: Entry, state: "seen" | "waiting") => {
    const row = episodeRow(feed, entry, state, start + 30 * day);
    if (!known.has(row.key)) known.set(row.key, row);
  };
  for (const entry of entriesOf(first)) note(entry, "seen");
  return documents.map((items) => {
    const { wanted, others, forgotten } = newIn(entriesOf(items), [...known.values()]);
    for (const entry of wanted) note(entry, "waiting");
    for (const entry of others) note(entry, "seen");
    for (const key of forgotten) known.delete(key);
    return wanted.map(({ url }) => new URL(url).href);
  });
}

const a = "https://a.example/a.mp3";
const b = "https://a.example/b.mp3";
const c = "https://a.example/c.mp3";

describe("known episodes of a feed", () => {
  test.each([
    ["dates", [2, 1, 0]],
    ["no dates", [undefined, undefined, undefined]],
    ["one date", [0, 0, 0]],
  ] as const)("takes an episode once when all items have the same guid and %s", (_name, [late, middle, early]) => {
    const [one, two, three] = [
      { guid: "show", url: a, at: early },
      { guid: "show", url: b, at: middle },
      { guid: "show", url: c, at: late },
    ];
    expect(polled([[one], [two, one], [two, one], [three, two], [three, two]])).toEqual([[b], [], [c], []]);
    // The feed contains only its newest episode.
    expect(polled([[one], [two], [two], [three], [three]])).toEqual([[b], [], [c], []]);
  });

  test("recognizes an episode when only a token, the protocol or a counting service changes in its address", () => {
    const same = [
      "https://a.example/a.mp3?id=12&token=one&Expires=1700000000",
      "http://a.example/a.mp3?id=12&token=two",
      "https://A.example:443/a.mp3?Expires=1&id=12&utm_source=rss&X-Amz-Signature=ff",
      "https://counter.example/redirect.mp3/other.example/e/a.example/a.mp3?id=12&v=1700000001",
    ];
    for (const guid of ["show", undefined]) {
      const documents = same.map((url) => [{ guid, url, at: 1 }]);
      expect(polled(documents)).toEqual([[], [], []]);
      const other = [{ guid, url: "https://a.example/a.mp3?id=13&token=one", at: 2 }, ...(documents[0] ?? [])];
      expect(polled([documents[0] ?? [], other])).toEqual([["https://a.example/a.mp3?id=13&token=one"]]);
    }
  });

  test("recognizes an episode by its own guid on another host, or by its address when guids change", () => {
    const items = [a, b, c].map((url, at) => ({ guid: `g${at}`, url, at }));
    const moved = items.map((item) => ({ ...item, url: item.url.replace("a.example/", "cdn.example/x-") }));
    const redated = moved.map((item) => ({ ...item, at: item.at + 1 }));
    const renamed = items.map((item) => ({ ...item, guid: `new-${item.guid}` }));
    expect(polled([items, moved, redated, renamed])).toEqual([[], [], []]);
    const unnamed = items.map(({ url, at }) => ({ url, at }));
    expect(polled([items, unnamed, items])).toEqual([[], []]);
  });

  test("takes a new episode although its guid numbers its position in the feed", () => {
    const place = (urls: readonly string[]) =>
      urls.map((url, at) => ({ guid: `item-${at + 1}`, url, at: [a, b, c].indexOf(url) }));
    expect(polled([place([b, a]), place([c, b, a]), place([c, b, a])])).toEqual([[c], []]);
  });

  test("takes a new episode at a known address when date and guid are new", () => {
    const latest = (at: number) => [{ guid: `news ${at}`, url: a, at }];
    expect(polled([latest(0), latest(1), latest(1), latest(2)])).toEqual([[a], [], [a]]);
  });

  test("does not take an episode again that an older version stored by guid or address only", () => {
    const old = (id: string, at: number, url = ""): Known => {
      const key = createHash("sha256").update(id).digest("hex");
      return { key, url, state: url === "" ? "seen" : "taken", published_at: start + at * day, found_at: start };
    };
    const own = [a, b, c].map((url, at) => ({ guid: `g${at}`, url, at }));
    expect(
      polled([[], own, [{ guid: "g3", url: `${a}?4`, at: 3 }, ...own]], [old("g0", 0), old("g1", 1), old("g2", 2, c)]),
    ).toEqual([[], [`${a}?4`]]);
    const same = [a, b, c].map((url, at) => ({ guid: "show", url, at }));
    expect(polled([[], same, same], [old("show", 1)])).toEqual([[c], []]);
    expect(polled([[], same, same], [old("show", 1, b)])).toEqual([[c], []]);
    const undated = same.map(({ guid, url }) => ({ guid, url }));
    expect(polled([[], undated, [{ guid: "show", url: `${a}?4` }, ...undated]], [old("show", 1)])).toEqual([[], [`${a}?4`]]);
    const hoursLater = same.map((item) => ({ ...item, at: item.at + 0.5 }));
    expect(polled([[], hoursLater, hoursLater], [old("show", 2)])).toEqual([[], []]);
    const only = [{ guid: "g0", url: a, at: 5 }];
    expect(polled([[], only, [{ guid: "g0", url: b, at: 6 }]], [old("g0", 0)])).toEqual([[], [b]]);
    const bare = [{ url: `${a}?token=1`, at: 0 }];
    expect(polled([[], bare, [{ url: `${a}?token=2`, at: 0 }]], [old(`${a}?token=1`, 0)])).toEqual([[], []]);
  });
});

test.each([
  ["https://a.example/a.mp3?updated=1623793590", "https://a.example/a.mp3?updated=1623870514"],
  ["https://a.example/a.mp3?token-hash=Nx%3D&token-time=1761177600", "https://a.example/a.mp3?token-hash=4f&token-time=1"],
  ["https://a.example/a.mp3?sv=2020&sig=a&se=2021-01-01&sp=r&sr=b", "https://a.example/a.mp3?sv=2021&sig=b&se=2022-01-01"],
  ["https://a.example/a.mp3?Policy=a&Signature=b&Key-Pair-Id=c", "https://a.example/a.mp3"],
  ["https://a.example/a.mp3?b=1&a=2", "http://a.example/a.mp3?a=2&b=1#t=3"],
])("treats %s and %s as the same recording", (one, other) => {
  expect(recordingName(one)).toBe(recordingName(other));
});

test.each([
  ["https://a.example/get?id=1", "https://a.example/get?id=2"],
  ["https://a.example/get?key=talks/1.mp3", "https://a.example/get?key=talks/2.mp3"],
  ["https://a.example/watch?v=1", "https://a.example/watch?v=2"],
  ["https://a.example/1/talk.wav/stream", "https://a.example/2/talk.wav/stream"],
  ["https://a.example/1.mp3", "https://b.example/1.mp3"],
  ["https://a.example/get?se=1", "https://a.example/get?se=2"],
])("treats %s and %s as different recordings", (one, other) => {
  expect(recordingName(one)).not.toBe(recordingName(other));
});

describe("episodes whose addresses differ only in a likely token", () => {
  const files = ["?time=1", "?time=2", "?key=3", "?ref=4"].map((query) => `https://a.example/play${query}`);
  test.each<[string, (at: number) => string | undefined]>([
    ["each with its own guid", (at) => `guid ${at}`],
    ["all with the same guid", () => "show"],
    ["without a guid", () => undefined],
  ])("takes all episodes of a document whose addresses differ only in a likely token, %s", (_, guidOf) => {
    const items = files.map((url, at): Item => ({ url, at, ...(guidOf(at) !== undefined && { guid: guidOf(at) ?? "" }) }));
    expect(polled([[], items, items])).toEqual([files.toReversed(), []]);
  });

  test("tells addresses apart whose path has a part that looks like a host", () => {
    const [one, two] = ["https://a.example/first/v1.beta/1.mp3", "https://a.example/second/v1.beta/1.mp3"];
    const items = [one, two].map((url, at) => ({ url, at, guid: "show" }));
    expect(polled([[], items, items])).toEqual([[two, one], []]);
  });
});

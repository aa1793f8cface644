import { describe, expect, test } from "vitest";
import { Folder, freeMinutes, maxFeeds, UserProfile } from "#contract/index.ts";
import { claimEpisode } from "#server/feeds/episode-queries.ts";
import { claimFeed } from "#server/feeds/queries.ts";
import { startMailServer } from "#tests/fixtures/mail-server.ts";
import { timeLimit } from "#tests/fixtures/time-limit.ts";
import { openSql, openTestDb } from "#tests/server/database.ts";
import { watchEventLoop } from "#tests/server/event-loop-watch.ts";
import { base, eventually, getTranscription, read, refusal, settled, signInAgain, signUp } from "#tests/server/harness.ts";
import { subscribe } from "#tests/server/subscription/subscribed.ts";
import { unzipped } from "#tests/server/zip.ts";
import { episode, feeds, feedsOf, follow, followed, following, hour, listed, openPodcast, untilFeed } from "./followed.ts";

describe("followed feed", () => {
  // PROMISE addresses: A followed podcast is transcribed within the limits of the plan
  test("transcribes each new episode of a followed feed once, and no older one", async () => {
    const podcast = await openPodcast();
    const harness = await following(podcast);
    const folder = await read(await harness.person.call("POST", `${base}/folders`, { name: "Podcasts" }), 201, Folder);
    expect(await followed(harness.person, podcast, { folderId: folder.id })).toMatchObject({
      ...{ url: podcast.url("pod.test"), title: "Slow & steady", folderId: folder.id, sourceLanguage: "en", paused: null },
      ...{ taken: 0, waiting: 0, error: null, newest: null, lookedAt: "2026-03-01T12:00:00.000Z" },
    });
    await harness.later(2 * hour);
    await untilFeed(harness.person, ({ lookedAt }) => lookedAt === "2026-03-01T14:00:00.000Z");
    expect([await listed(harness.person), podcast.asked.map(({ status }) => status)]).toEqual([[], [200, 304]]);

    podcast.episodes.unshift(episode("d", 0.05));
    await harness.later(2 * hour);
    const { newest } = await untilFeed(harness.person, ({ taken }) => taken === 1);
    expect(newest).toEqual({ title: "Talk d", transcriptionId: expect.any(String) });
    const row = await settled(harness.person, newest?.transcriptionId ?? "");
    expect(row).toMatchObject({ title: "Talk d", status: "completed", origin: "url" });
    expect(await listed(harness.person)).toEqual([{ title: "Talk d", folderId: folder.id }]);
    // A new title, a new address and missing episodes are no new episodes.
    podcast.episodes[0] = episode("d", 0.05, { title: "Talk d, again", file: "/other.wav" });
    podcast.episodes.splice(2);
    await harness.later(2 * hour);
    await untilFeed(harness.person, ({ lookedAt }) => lookedAt === "2026-03-01T18:00:00.000Z");
    expect([await listed(harness.person), podcast.fetched]).toEqual([[{ title: "Talk d", folderId: folder.id }], ["/d.wav"]]);
    const zip = Buffer.from(await (await harness.person.call("GET", "/users/me/export")).arrayBuffer());
    expect(JSON.parse(unzipped(zip).get("account.json")?.toString() ?? "")).toMatchObject({
      feeds: [{ url: podcast.url("pod.test") }],
      feedEpisodes: [{ title: "Talk d", state: "taken", transcription: row.id }],
    });

    expect((await harness.person.call("DELETE", `${feeds}/${(await feedsOf(harness.person))[0]?.id}`)).status).toBe(204);
    expect([await feedsOf(harness.person), await getTranscription(harness.person, row.id)]).toMatchObject([[], { id: row.id }]);
  });

  test("transcribes each episode once when all share a guid and their addresses change", async () => {
    const podcast = await openPodcast();
    const item = (name: string, days: number, token: number) =>
      episode("show", days, { title: `Talk ${name}`, file: `/${name}.wav?token=${token}` });
    podcast.episodes.splice(0, 3, item("a", -1, 1));
    const harness = await following(podcast);
    await followed(harness.person, podcast);
    podcast.episodes.splice(0, 1, item("b", 0.05, 2), item("a", -1, 2));
    await harness.later(2 * hour);
    await untilFeed(harness.person, ({ taken }) => taken === 1);
    podcast.episodes.splice(0, 2, item("c", 0.15, 3), item("b", 0.05, 3), item("a", -1, 3));
    await harness.later(2 * hour);
    await untilFeed(harness.person, ({ taken }) => taken === 2);
    await harness.later(2 * hour);
    await untilFeed(harness.person, ({ lookedAt }) => lookedAt === "2026-03-01T18:00:00.000Z");
    await eventually(
      () => listed(harness.person),
      (all) => all.length === 2,
    );
    await expect.poll(() => podcast.fetched).toEqual(["/b.wav?token=2", "/c.wav?token=3"]);
  });

  test("transcribes only the newest old episode when the user asks for it", async () => {
    const podcast = await openPodcast();
    const { person } = await following(podcast);
    await followed(person, podcast, { takeNewest: true });
    await untilFeed(person, ({ taken }) => taken === 1);
    await settled(person, (await feedsOf(person))[0]?.newest?.transcriptionId ?? "");
    expect([await listed(person), podcast.fetched]).toEqual([[{ title: "Talk c", folderId: null }], ["/c.wav"]]);
  });

  test("limits the number of feeds by plan and hides a feed from other people", async () => {
    const podcast = await openPodcast();
    const harness = await following(podcast);
    const { person, server } = harness;
    const { id } = await followed(person, podcast);
    expect(await refusal(await follow(person, podcast))).toBe("409 conflict");
    const other = await signUp(server);
    for (const [method, body] of [
      ["PATCH", { paused: true }],
      ["DELETE", undefined],
    ] as const) {
      expect(await refusal(await other.call(method, `${feeds}/${id}`, body))).toBe("404 notFound");
    }
    expect(await feedsOf(other)).toEqual([]);
    const folder = await read(await other.call("POST", `${base}/folders`, { name: "Theirs" }), 201, Folder);
    for (const answer of [
      await follow(person, podcast, { url: `${podcast.url("pod.test")}?a`, folderId: folder.id }),
      await person.call("PATCH", `${feeds}/${id}`, { folderId: folder.id }),
    ]) {
      expect(await refusal(answer)).toBe("404 notFound");
    }
    const more = (at: number) => {
      // Gives each feed another age, because the oldest ones are kept.
      harness.clock.advance(1_000);
      return follow(person, podcast, { url: `${podcast.url("pod.test")}?${at}` });
    };
    for (let at = 1; at < maxFeeds.free; at++) expect((await more(at)).status).toBe(201);
    expect(await refusal(await more(100))).toBe("429 tooManyAtOnce");
    await subscribe(server.dataDir, person);
    expect((await more(100)).status).toBe(201);
    // After the subscription ends the oldest feeds go on; the others wait until there is room again.
    using db = openSql(server.dataDir);
    db.prepare("update subscriptions set status = 'canceled'").run();
    await harness.later(2 * hour);
    await eventually(
      () => feedsOf(harness.person),
      (all) => all.at(-1)?.paused?.reason === "plan",
    );
    const all = await feedsOf(harness.person);
    expect(all[0]?.id).toBe(id);
    expect(all.map(({ paused }) => paused?.reason)).toEqual([undefined, undefined, undefined, "plan"]);
    const goOn = () => harness.person.call("PATCH", `${feeds}/${all[3]?.id}`, { paused: false });
    expect(await refusal(await goOn())).toBe("429 tooManyAtOnce");
    await harness.person.call("DELETE", `${feeds}/${id}`);
    expect((await goOn()).status).toBe(200);
  });

  const impatient = { fetchTimes: { connectMs: 300, idleMs: 300, wholeMs: 600 } };
  test.each([
    ["page", "422 notAudio", {}],
    ["entities", "422 notAudio", {}],
    ["million", "413 tooLarge", {}],
    ["huge", "413 tooLarge", {}],
    ["private", "422 urlRefused", {}],
    ["hangs", "504 urlTimeout", impatient],
    ["trickles", "504 urlTimeout", impatient],
    ["fails", "422 urlUnreachable", {}],
  ] as const)("refuses to follow a feed whose server misbehaves: %s", async (fault, answer, times) => {
    const podcast = await openPodcast();
    podcast.fault = fault;
    const { person } = await following(podcast, times);
    const watch = watchEventLoop();
    expect(await refusal(await follow(person, podcast))).toBe(answer);
    expect(watch.read()).toBeLessThan(timeLimit(100));
    expect(await feedsOf(person)).toEqual([]);
  });

  test("limits the number of simultaneous requests to follow a feed of one person", async () => {
    const podcast = await openPodcast();
    podcast.fault = "hangs";
    const { person } = await following(podcast, { fetchTimes: { connectMs: 300, idleMs: 300, wholeMs: 300 } });
    const answers = Array.from({ length: 7 }, async () => refusal(await follow(person, podcast)));
    expect((await Promise.all(answers)).toSorted()).toEqual(["429 tooManyAtOnce", ...Array(6).fill("504 urlTimeout")]);
  });

  test("continues after a restart without taking an episode twice, even with several processes", async () => {
    const podcast = await openPodcast();
    const first = await following(podcast);
    const { id } = await followed(first.person, podcast, { takeNewest: true });
    await untilFeed(first.person, ({ taken }) => taken === 1);
    await settled(first.person, (await feedsOf(first.person))[0]?.newest?.transcriptionId ?? "");
    await first.server.close();
    const db = await openTestDb(first.server.dataDir);
    try {
      // As if the process had died after the transcription was made and before the episode was marked as taken.
      await db
        .updateTable("feed_episodes")
        .set({ state: "waiting", transcription_id: null, next_at: 0 })
        .where("state", "=", "taken")
        .execute();
      await db.updateTable("feeds").set({ next_at: 0 }).execute();
      const claim = { now: first.clock.now(), leaseUntil: first.clock.now() + 1, without: [] };
      const claimed = [claimEpisode(db, claim), claimEpisode(db, claim), claimFeed(db, claim), claimFeed(db, claim)];
      const keys = (await Promise.all(claimed)).map((row) => row !== undefined);
      expect(keys.toSorted()).toEqual([false, false, true, true]);
    } finally {
      await db.destroy();
    }
    const again = await following(podcast, { dataDir: first.server.dataDir, now: () => first.clock.now() + 10 * 60_000 });
    const person = await signInAgain(again.server, first.person);
    await untilFeed(person, ({ taken, lookedAt }) => taken === 1 && lookedAt === "2026-03-01T12:10:00.000Z");
    expect([await listed(person), podcast.fetched, (await feedsOf(person))[0]?.id]).toEqual([
      [{ title: "Talk c", folderId: null }],
      ["/c.wav"],
      id,
    ]);
  });
});

describe("new episodes of a feed", () => {
  test("episodes wait without being fetched when the plan's minutes are used up, and one mail says so", async () => {
    const podcast = await openPodcast();
    const mail = await startMailServer();
    const env = { ...mail.env, EMAIL_CONFIRMATION: "0", FETCH_ALLOW_HOSTS: `pod.test:${podcast.port}` };
    const harness = await following(podcast, { mailPollMs: 60, env });
    podcast.episodes.unshift(episode("long", 0, { seconds: 3600 }));
    await followed(harness.person, podcast, { takeNewest: true });
    expect(await untilFeed(harness.person, ({ waitingFor }) => waitingFor !== null)).toMatchObject({
      ...{ waiting: 1, waitingFor: "limitReached", taken: 0, newest: { title: "Talk long", transcriptionId: null } },
    });
    podcast.episodes.unshift(episode("longer", 0.05, { seconds: 5000 }));
    await harness.later(2 * hour);
    await untilFeed(harness.person, ({ waiting }) => waiting === 2);
    const told = () => mail.received.filter(({ raw }) => raw.includes("Episodes are waiting")).length;
    await expect.poll(told).toBe(1);
    expect(podcast.fetched).toEqual([]);
    await subscribe(harness.server.dataDir, harness.person);
    await harness.later(2 * hour);
    expect(await untilFeed(harness.person, ({ taken }) => taken === 2)).toMatchObject({ waiting: 0, waitingFor: null });
    expect(told()).toBe(1);
    expect((await listed(harness.person)).map(({ title }) => title).toSorted()).toEqual(["Talk long", "Talk longer"]);
  });

  test("an episode longer than announced waits with its audio and is transcribed later", async () => {
    const podcast = await openPodcast();
    const harness = await following(podcast);
    const { id } = await read(await harness.person.call("GET", "/users/me"), 200, UserProfile);
    using db = openSql(harness.server.dataDir);
    // Leaves half a second of the month's minutes.
    const used = (freeMinutes * 60 - 0.5) * 16_000;
    db.prepare("insert into usage (user_id, source, month, day, samples) values (?, 'x', '2026-03', '2026-03-01', ?)").run(
      id,
      used,
    );
    await followed(harness.person, podcast, { takeNewest: true });
    const { newest } = await untilFeed(harness.person, ({ taken }) => taken === 1);
    const row = await settled(harness.person, newest?.transcriptionId ?? "");
    expect(row).toMatchObject({ status: "failed", error: { code: "limitReached" } });
    await harness.later(2 * hour);
    await untilFeed(harness.person, ({ waitingFor }) => waitingFor === "limitReached");
    await subscribe(harness.server.dataDir, harness.person);
    await harness.later(2 * hour);
    await untilFeed(harness.person, ({ taken }) => taken === 1);
    expect(await settled(harness.person, row.id)).toMatchObject({ id: row.id, status: "completed" });
    expect(podcast.fetched).toEqual(["/c.wav"]);
  });

  test("pauses the feed when a hundred episodes wait and resumes it without losing any", async () => {
    const podcast = await openPodcast();
    const harness = await following(podcast);
    const { id } = await followed(harness.person, podcast);
    const many = Array.from({ length: 110 }, (_, at) => episode(`n${at}`, 0.04 - at / 10_000, { seconds: 3600 }));
    podcast.episodes.unshift(...many);
    await harness.later(2 * hour);
    await untilFeed(harness.person, ({ waiting }) => waiting === 50);
    await harness.later(2 * hour);
    await untilFeed(harness.person, ({ waiting, paused }) => waiting === 100 && paused?.reason === "full");
    // Marks most of them as taken, because fetching ten at a time would take too long here.
    using db = openSql(harness.server.dataDir);
    const oldest = "select key from feed_episodes where state = 'waiting' order by published_at limit 55";
    db.prepare(`update feed_episodes set state = 'taken' where key in (${oldest})`).run();
    await subscribe(harness.server.dataDir, harness.person);
    await harness.later(2 * hour);
    expect(await untilFeed(harness.person, ({ taken, waiting }) => taken + waiting === 110)).toMatchObject({ id, paused: null });
  });

  test("refuses an episode on a private address and still transcribes the others", async () => {
    const podcast = await openPodcast();
    const harness = await following(podcast);
    await followed(harness.person, podcast);
    podcast.episodes.unshift(episode("e", 0.02), episode("d", 0.01, { file: "http://inside.test/secret.wav" }));
    await harness.later(2 * hour);
    await untilFeed(harness.person, ({ taken, waiting }) => taken === 1 && waiting === 0);
    await eventually(
      () => listed(harness.person),
      (all) => all.length === 1,
    );
    expect(podcast.fetched.filter((path) => path !== "/e.wav")).toEqual([]);
  });
});

describe("unreadable feed", () => {
  test("polls an unreadable feed less often and pauses it after a week with a mail", async () => {
    const podcast = await openPodcast();
    const mail = await startMailServer();
    const env = { ...mail.env, EMAIL_CONFIRMATION: "0", FETCH_ALLOW_HOSTS: `pod.test:${podcast.port}` };
    const harness = await following(podcast, { mailPollMs: 60, env });
    const { id } = await followed(harness.person, podcast);
    podcast.fault = "page";
    for (let failures = 1; failures <= 11; failures++) {
      await harness.later(27 * hour);
      const feed = await untilFeed(harness.person, (one) => one.failures === failures);
      expect(feed).toMatchObject({ error: "notAudio", title: "Slow & steady" });
      const isOver = failures === 10;
      expect(feed.paused?.reason).toBe(isOver ? "failing" : undefined);
      if (isOver) break;
      const wait = Date.parse(feed.nextAt ?? "") - harness.clock.now();
      expect(wait / hour).toBeGreaterThan(Math.min(24, 2 ** failures) * 0.85);
    }
    await expect.poll(() => mail.received.filter(({ raw }) => raw.includes("A feed is paused")).length).toBe(1);
    podcast.fault = undefined;
    podcast.episodes.unshift(episode("d", 5));
    expect((await harness.person.call("PATCH", `${feeds}/${id}`, { paused: false })).status).toBe(200);
    expect(await untilFeed(harness.person, ({ taken }) => taken === 1)).toMatchObject({ paused: null, failures: 0, error: null });
  });

  test("pauses a feed at once when it is gone, and does not poll a paused feed", async () => {
    const podcast = await openPodcast();
    const harness = await following(podcast);
    const { id } = await followed(harness.person, podcast);
    podcast.fault = "gone";
    await harness.later(2 * hour);
    expect((await untilFeed(harness.person, ({ paused }) => paused !== null)).paused?.reason).toBe("gone");
    podcast.fault = undefined;
    await harness.person.call("PATCH", `${feeds}/${id}`, { paused: false });
    await untilFeed(harness.person, ({ failures, paused }) => paused === null && failures === 0);
    await harness.person.call("PATCH", `${feeds}/${id}`, { paused: true });
    await followed(harness.person, podcast, { url: `${podcast.url("pod.test")}?other` });
    podcast.asked.length = 0;
    podcast.episodes.unshift(episode("d", 0.1));
    await harness.later(2 * hour);
    await eventually(
      () => feedsOf(harness.person),
      ([, other]) => other?.taken === 1,
    );
    expect(podcast.asked.map(({ path }) => path)).toEqual(["/feed?other"]);
    expect((await feedsOf(harness.person))[0]).toMatchObject({ paused: { reason: "owner" }, nextAt: null, waiting: 0 });
  });
});

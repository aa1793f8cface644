import { onTestFinished } from "vitest";
import { Feed, FeedsAnswer, HistoryAnswer, type NewFeed } from "#contract/index.ts";
import { type FeedServer, openFeedServer, type TestEpisode } from "#tests/fixtures/feed-server.ts";
import { base, eventually, type Person, read, signInAgain, signUp, startTestServer, testClock } from "#tests/server/harness.ts";

export const feeds = "/users/me/feeds";
export const hour = 60 * 60_000;
const day = 24 * hour;

const addresses: Record<string, string> = { "pod.test": "127.0.0.1", "inside.test": "10.0.0.7" };
const resolve = async (name: string) => {
  const address = addresses[name];
  if (address === undefined) throw new Error("no such name");
  return [{ address }];
};

const start = Date.parse("2026-03-01T12:00:00Z");
/** An episode published this many days after the tests begin; before them, if negative. */
export const episode = (name: string, days: number, more: Partial<TestEpisode> = {}): TestEpisode => ({
  title: `Talk ${name}`,
  guid: name,
  file: `/${name}.wav`,
  at: start + days * day,
  ...more,
});

/** Opens a podcast with three old episodes and closes it after the test. */
export async function openPodcast(): Promise<FeedServer> {
  const podcast = await openFeedServer([episode("c", -1), episode("b", -8), episode("a", -15)]);
  onTestFinished(() => podcast.close());
  return podcast;
}

/** Milliseconds. */
const patience = { connectMs: 2_000, idleMs: 2_000, wholeMs: 5_000 };

/** Starts a server with its own clock and a user; the server may fetch from `podcast`. */
export async function following(podcast: FeedServer, options: Parameters<typeof startTestServer>[0] = {}) {
  const clock = testClock(start);
  const env = { FETCH_ALLOW_HOSTS: `pod.test:${podcast.port}`, ...options.env };
  const times = { fetchTimes: patience, feedTimes: { pollMs: 60 } };
  const server = await startTestServer({ resolve, ...times, now: clock.now, ...options, env });
  const harness = {
    server,
    clock,
    person: await signUp(server),
    /** Advances the clock and signs the user in again. */
    later: async (ms: number) => {
      clock.advance(ms);
      harness.person = await signInAgain(server, harness.person);
    },
  };
  return harness;
}

/** Follows the podcast. */
export function follow(person: Person, podcast: FeedServer, wanted: Partial<NewFeed> = {}): Promise<Response> {
  return person.call("POST", feeds, { url: podcast.url("pod.test"), sourceLanguage: "en", ...wanted });
}

export async function followed(person: Person, podcast: FeedServer, wanted: Partial<NewFeed> = {}): Promise<Feed> {
  return read(await follow(person, podcast, wanted), 201, Feed);
}

export const feedsOf = async (person: Person) => (await read(await person.call("GET", feeds), 200, FeedsAnswer)).feeds;

/** Waits until the person's only feed satisfies the condition. */
export async function untilFeed(person: Person, isSo: (feed: Feed) => boolean): Promise<Feed> {
  const [feed] = await eventually(
    () => feedsOf(person),
    ([one]) => one !== undefined && isSo(one),
  );
  if (feed === undefined) throw new Error("nothing is followed");
  return feed;
}

/** Titles and folders of a person's transcriptions. */
export async function listed(person: Person) {
  const { data } = await read(await person.call("GET", `${base}/transcription-history`), 200, HistoryAnswer);
  return data.map(({ title, filed }) => ({ title, folderId: filed?.folderId ?? null }));
}

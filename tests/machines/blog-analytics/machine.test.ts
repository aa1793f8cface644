import { expect, it } from "vitest";
import { createActor, fromPromise } from "xstate";
import type { AnalyticsRange, BlogAnalytics } from "#contract/index.ts";
import {
  blogAnalyticsMachine,
  selectAnalytics,
  selectFailure,
  selectIsLoading,
  selectIsSample,
} from "#machines/blog-analytics/machine.ts";
import { sampleAnalytics } from "#src/features/blog-analytics/sample-data.ts";

const noon = Date.parse("2026-03-20T12:00:00Z");
const sample = sampleAnalytics(noon, (key, n) => `sample ${key} ${n}`);
const real: BlogAnalytics = { ...sample, topPosts: [] };
const refusal = (status: number, code: string) => Object.assign(new Error(code), { status, code });

/** The page with a server that gives these answers, one after another. */
function page(...answers: (BlogAnalytics | Error)[]) {
  const asked: number[] = [];
  const machine = blogAnalyticsMachine.provide({
    actors: {
      fetchAnalytics: fromPromise(async ({ input }: { input: { days: AnalyticsRange } }) => {
        asked.push(input.days);
        const answer = answers[asked.length - 1];
        if (answer === undefined || answer instanceof Error) throw answer ?? new Error("No answer was prepared.");
        return answer;
      }),
    },
  });
  const actor = createActor(machine, { input: { days: 30, sample } }).start();
  const state = () => actor.getSnapshot();
  const settled = () => expect.poll(() => selectIsLoading(state())).toBe(false);
  const seen = () => ({
    analytics: selectAnalytics(state()),
    isSample: selectIsSample(state()),
    failure: selectFailure(state()),
  });
  return { actor, asked, settled, seen };
}

// SPEC 8: "falls back to sample analytics data (7 daily entries)"
it.each([
  [404, "notFound"],
  [0, "network"],
])(
  "shows sample data, marked as such, when the answer is %d, and the real numbers as soon as there are any",
  async (status, code) => {
    const { actor, settled, seen } = page(refusal(status, code), refusal(status, code), real);
    await settled();
    expect(seen()).toEqual({ analytics: sample, isSample: true, failure: code });
    actor.send({ type: "refresh.requested" });
    expect(seen()).toEqual({ analytics: sample, isSample: true, failure: null });
    await settled();
    expect(seen()).toEqual({ analytics: sample, isSample: true, failure: code });
    actor.send({ type: "refresh.requested" });
    await settled();
    expect(seen()).toEqual({ analytics: real, isSample: false, failure: null });
  },
);

it.each([
  [500, "internal"],
  [401, "adminRequired"],
  [429, "tooManyRequests"],
])("shows no sample data when the answer is %d", async (status, code) => {
  const { settled, seen } = page(refusal(status, code));
  await settled();
  expect(seen()).toEqual({ analytics: null, isSample: false, failure: code });
});

it("keeps the real numbers when they can't be refreshed", async () => {
  const { actor, settled, seen } = page(real, refusal(0, "network"));
  await settled();
  actor.send({ type: "refresh.requested" });
  await settled();
  expect(seen()).toEqual({ analytics: real, isSample: false, failure: "network" });
});

it("fetches another time span at once, and the same one not again", async () => {
  const { actor, asked, settled } = page(real, real, real);
  actor.send({ type: "range.chosen", days: 30 });
  actor.send({ type: "range.chosen", days: 7 });
  actor.send({ type: "range.chosen", days: 365 });
  await settled();
  expect(asked).toEqual([30, 7, 365]);
});

// SPEC 8: "falls back to sample analytics data (7 daily entries)"
it("makes sample data of a week that ends today, adds up, and says that it is sample data", () => {
  const { daily } = sample.engagementTrends;
  expect(daily.map(({ date }) => date)).toEqual([
    ...["2026-03-14", "2026-03-15", "2026-03-16", "2026-03-17", "2026-03-18", "2026-03-19", "2026-03-20"],
  ]);
  const { overview, topPosts, recentActivity, topTopics } = sample;
  expect(overview.totalViews).toBe(daily.reduce((sum, { views }) => sum + views, 0));
  expect(topPosts.reduce((sum, { views }) => sum + views, 0)).toBe(overview.totalViews);
  expect(topPosts.reduce((sum, { likes }) => sum + likes, 0)).toBe(overview.totalLikes);
  expect(topPosts.reduce((sum, { dislikes }) => sum + dislikes, 0)).toBe(overview.totalDislikes);
  const texts = [
    ...topPosts.map(({ title }) => title),
    ...recentActivity.map(({ postTitle }) => postTitle),
    ...topTopics.map(({ topic }) => topic),
  ];
  expect(texts.filter((text) => !text.startsWith("sample "))).toEqual([]);
});

import { createActor } from "xstate";
import type { AnalyticsRange, BlogAnalytics } from "#contract/index.ts";
import { blogAnalyticsMachine, selectAnalytics, selectFailure, selectIsLoading } from "#machines/blog-analytics/machine.ts";
import { sampleAnalytics } from "#src/features/blog-analytics/sample-data.ts";
import { answer, answered, failure, refused, sent } from "#tests/paths/harness-moves.ts";
import type { Stubs } from "#tests/paths/harness-stubs.ts";
import { type RunOptions, walkTests } from "#tests/paths/harness-walk.ts";

const sample = sampleAnalytics(0, (key, n) => `${key} ${n}`);
const real: BlogAnalytics = { ...sample, topPosts: [] };

function prepare(stubs: Stubs) {
  const fetchAnalytics = stubs.asking<BlogAnalytics, { days: AnalyticsRange }>();
  const machine = blogAnalyticsMachine.provide({ actors: { fetchAnalytics: fetchAnalytics.logic } });
  return ({ clock, inspect }: RunOptions) => {
    const actor = createActor(machine, { clock, inspect, input: { days: 30, sample } });
    let hadReal = false;
    actor.subscribe(({ context }) => {
      hadReal ||= context.analytics === real;
    });
    return { actor, fetchAnalytics, hadReal: () => hadReal };
  };
}
type Harness = ReturnType<ReturnType<typeof prepare>>;

const asked = ({ fetchAnalytics }: Harness) => fetchAnalytics;
const context = ({ actor }: Harness) => actor.getSnapshot().context;
const shown = ({ actor }: Harness) => selectAnalytics(actor.getSnapshot());

walkTests<Harness>({
  machine: blogAnalyticsMachine,
  prepare,
  moves: [
    sent({ type: "range.chosen", days: 7 }, "a week is chosen"),
    sent({ type: "range.chosen", days: 365 }, "a year is chosen"),
    sent({ type: "refresh.requested" }),
    answered("the numbers come", asked, () => real),
    refused("the server has none", asked, answer(404, "notFound")),
    refused("there is no server", asked, answer(0, "network")),
    refused("the server fails", asked, answer(500, "internal")),
    refused("something else is wrong", asked, failure("badRequest")),
  ],
  situation: (harness) => [context(harness).days, context(harness).failure, context(harness).isSample, shown(harness) === real],
  rules: {
    "one call at a time, and none while nothing is loading": ({ actor, fetchAnalytics }) =>
      fetchAnalytics.open().length === (selectIsLoading(actor.getSnapshot()) ? 1 : 0),
    "it is asked for the days that are chosen": (harness) =>
      harness.fetchAnalytics.open().every(({ input }) => input?.days === context(harness).days),
    "what is made up says so, and nothing else does": (harness) => context(harness).isSample === (shown(harness) === sample),
    "made up numbers never replace real ones": (harness) => !harness.hadReal() || shown(harness) === real,
    "made up numbers stand only where the server has none or is not there": (harness) =>
      !harness.actor.getSnapshot().matches("sample") || ["notFound", "network"].includes(context(harness).failure ?? ""),
    "whoever sees nothing sees why, or that it is loading": (harness) =>
      shown(harness) !== null ||
      selectIsLoading(harness.actor.getSnapshot()) ||
      selectFailure(harness.actor.getSnapshot()) !== null,
  },
});

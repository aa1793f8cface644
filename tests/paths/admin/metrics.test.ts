import { createActor } from "xstate";
import type { AdminMetrics } from "#contract/index.ts";
import { type AdminMetricsEvent, adminMetricsMachine } from "#machines/admin/metrics.ts";
import { numbers } from "#tests/machines/admin/harness.ts";
import { answered, failure, refused, said, sent, untilNextTimer } from "#tests/paths/harness-moves.ts";
import type { Stubs } from "#tests/paths/harness-stubs.ts";
import { type RunOptions, walkTests } from "#tests/paths/harness-walk.ts";

function prepare(stubs: Stubs) {
  const fetchMetrics = stubs.asking<AdminMetrics, { days: number }>();
  const visibility = stubs.callback<AdminMetricsEvent, AdminMetricsEvent>();
  const machine = adminMetricsMachine.provide({
    actors: { fetchMetrics: fetchMetrics.logic, visibility: visibility.logic },
  });
  return ({ clock, inspect }: RunOptions) => {
    const actor = createActor(machine, { clock, inspect, input: { days: 30 } });
    return { actor, fetchMetrics, visibility };
  };
}
type Harness = ReturnType<ReturnType<typeof prepare>>;

const context = ({ actor }: Harness) => actor.getSnapshot().context;
const asked = ({ fetchMetrics }: Harness) => fetchMetrics;
const seen = ({ visibility }: Harness) => visibility;

walkTests<Harness>({
  machine: adminMetricsMachine,
  prepare,
  moves: [
    sent({ type: "days.changed", days: 7 }, "another span is asked for"),
    sent({ type: "refresh.requested" }),
    said({ type: "page.shown" }, seen, "somebody looks"),
    said({ type: "page.hidden" }, seen, "nobody looks"),
    answered("the numbers come", asked, () => numbers()),
    refused("they can't be had", asked, failure("network")),
    untilNextTimer,
  ],
  situation: (harness) => [
    context(harness).days,
    context(harness).metrics !== null,
    context(harness).error,
    context(harness).isVisible,
  ],
  rules: {
    "they are asked for once at a time": ({ fetchMetrics }) => fetchMetrics.open().length <= 1,
    "of the span that was asked for last": (harness) =>
      harness.fetchMetrics.open().every(({ input }) => input?.days === context(harness).days),
    "nobody looks while it waits to be looked at": (harness) =>
      !harness.actor.getSnapshot().matches("due") || !context(harness).isVisible,
    "one listener hears whether somebody looks": ({ visibility }) => visibility.running() <= 1,
  },
});

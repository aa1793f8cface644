import { createActor } from "xstate";
import type { AdminMetrics } from "#contract/index.ts";
import { type AdminMetricsEvent, adminMetricsMachine } from "#machines/admin/metrics.ts";
import { numbers } from "#tests/machines/admin/rig.ts";
import { answered, failure, refused, said, sent, untilNextTimer } from "#tests/paths/harness-moves.ts";
import type { Stage } from "#tests/paths/harness-stage.ts";
import { type RunOptions, walkTests } from "#tests/paths/harness-walk.ts";

function prepare(stage: Stage) {
  const fetchMetrics = stage.asking<AdminMetrics, { days: number }>();
  const visibility = stage.callback<AdminMetricsEvent, AdminMetricsEvent>();
  const machine = adminMetricsMachine.provide({
    actors: { fetchMetrics: fetchMetrics.logic, visibility: visibility.logic },
  });
  return ({ clock, inspect }: RunOptions) => {
    const actor = createActor(machine, { clock, inspect, input: { days: 30 } });
    return { actor, fetchMetrics, visibility };
  };
}
type Rig = ReturnType<ReturnType<typeof prepare>>;

const context = ({ actor }: Rig) => actor.getSnapshot().context;
const asked = ({ fetchMetrics }: Rig) => fetchMetrics;
const seen = ({ visibility }: Rig) => visibility;

walkTests<Rig>({
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
  situation: (rig) => [context(rig).days, context(rig).metrics !== null, context(rig).error, context(rig).isVisible],
  rules: {
    "they are asked for once at a time": ({ fetchMetrics }) => fetchMetrics.open().length <= 1,
    "of the span that was asked for last": (rig) =>
      rig.fetchMetrics.open().every(({ input }) => input?.days === context(rig).days),
    "nobody looks while it waits to be looked at": (rig) => !rig.actor.getSnapshot().matches("due") || !context(rig).isVisible,
    "one listener hears whether somebody looks": ({ visibility }) => visibility.running() <= 1,
  },
});

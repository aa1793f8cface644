import * as v from "valibot";
import { type ActorRefFrom, createActor, fromCallback, fromPromise } from "xstate";
import { type AdminMetricsEvent, adminMetricsMachine } from "#machines/admin/metrics.ts";
import { inspected } from "#src/browser/inspection.ts";
import { adminApi } from "./actor.ts";
import type { RawAdminSearch } from "./search.ts";

/** Selectable spans of the charts in days, and the default. */
export const spans = [7, 30, 90, 365] as const;
const usual = 30;
const OverviewSearch = v.object({ days: v.fallback(v.optional(v.picklist(spans), usual), usual) });

const visibility = fromCallback<AdminMetricsEvent>(({ sendBack }) => {
  const report = () => sendBack({ type: document.hidden ? "page.hidden" : "page.shown" });
  document.addEventListener("visibilitychange", report);
  return () => document.removeEventListener("visibilitychange", report);
});

const machine = adminMetricsMachine.provide({
  actors: { visibility, fetchMetrics: fromPromise(({ input, signal }) => adminApi.metrics(input.days, signal)) },
});
export type Metrics = ActorRefFrom<typeof machine>;

let open: Metrics | undefined;

/** Called when the overview is opened or its span changes. */
export function openMetrics(search: RawAdminSearch): Metrics {
  const { days } = v.parse(OverviewSearch, search);
  if (open === undefined) open = createActor(machine, { ...inspected(), input: { days } }).start();
  else if (open.getSnapshot().context.days !== days) open.send({ type: "days.changed", days });
  return open;
}

export function closeMetrics(): void {
  open?.stop();
  open = undefined;
}

import { type Insight, type Point, withTaskChange } from "#contract/index.ts";
import type { InsightChange } from "./events.ts";

/** The results with a new one: one of each kind, and any number of answers. */
export function withInsight(insights: readonly Insight[], insight: Insight): readonly Insight[] {
  const others = insights.filter(({ id, kind }) => id !== insight.id && (kind === "answer" || kind !== insight.kind));
  return [...others, insight];
}

/** The results after a change. */
export function withChange(insights: readonly Insight[], { insight: id, change }: InsightChange): readonly Insight[] {
  if (change === null) return insights.filter((insight) => insight.id !== id);
  const changed = (point: Point, index: number): Point => {
    if (index !== change.index || point.task === undefined) return point;
    return withTaskChange(point, point.task, change);
  };
  return insights.map((insight) => (insight.id === id ? { ...insight, points: insight.points.map(changed) } : insight));
}

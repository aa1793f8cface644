import * as v from "valibot";
import { type ActorRefFrom, createActor, fromPromise } from "xstate";
import { type Cell, csvText } from "#contract/csv.ts";
import { analyticsRangeDefault, analyticsRanges, type BlogAnalytics } from "#contract/index.ts";
import { blogAnalyticsMachine } from "#machines/blog-analytics/machine.ts";
import { fetchBlogAnalytics } from "#src/api/blog-analytics.ts";
import { downloadFile } from "#src/browser/download.ts";
import { inspected } from "#src/browser/inspection.ts";
import { call } from "#src/features/session/api.ts";
import { perOwner } from "#src/features/session/per-owner.ts";
import { i18n } from "#src/i18n/index.ts";
import { sampleAnalytics } from "./sample-data.ts";

const machine = blogAnalyticsMachine.provide({
  actors: {
    fetchAnalytics: fromPromise(({ input, signal }) => fetchBlogAnalytics(call, input.days, signal)),
  },
});
export type Analytics = ActorRefFrom<typeof machine>;

type Asked = Readonly<Record<string, unknown>>;
const Range = v.fallback(v.picklist(analyticsRanges), analyticsRangeDefault);

const shown = perOwner<Analytics>({ end: (actor) => actor.stop() });

/**
 * Opens the analytics for the page's address. Returns the same actor until the user leaves the page. Needs the texts
 * `blog-analytics` to be loaded.
 */
export function openAnalytics({ days: asked }: Asked): Analytics {
  const days = v.parse(Range, asked);
  const known = shown.mine();
  known?.send({ type: "range.chosen", days });
  return (
    known ??
    shown.replace(() => {
      const sample = sampleAnalytics(Date.now(), (key, n) => i18n.t(`blog-analytics:sample.${key}`, { n }));
      return createActor(machine, { ...inspected(), input: { days, sample } }).start();
    })
  );
}

export const closeAnalytics = shown.close;

/** Exports the daily trends as a file. */
export function downloadDays({ engagementTrends: { daily } }: BlogAnalytics): void {
  const rows = daily.map(({ date, views, likes, dislikes }) => [date, views, likes, dislikes]);
  downloadCsv(nameOf("days", daily), [["date", "views", "likes", "dislikes"], ...rows]);
}

/** Exports the top posts as a file. */
export function downloadTopPosts({ topPosts, engagementTrends: { daily } }: BlogAnalytics): void {
  const rows = topPosts.map(({ id, title, slug = "", views, likes, dislikes, engagementScore }) => [
    ...[id, title, slug],
    ...[views, likes, dislikes, engagementScore],
  ]);
  downloadCsv(nameOf("top-posts", daily), [["id", "title", "slug", "views", "likes", "dislikes", "engagementScore"], ...rows]);
}

function downloadCsv(name: string, rows: readonly (readonly Cell[])[]): void {
  // Excel needs the byte order mark to read it as UTF-8.
  downloadFile(new Blob(["\uFEFF", csvText(rows)], { type: "text/csv;charset=utf-8" }), name);
}

function nameOf(what: string, daily: readonly { date: string }[]): string {
  return `parlance-blog-${what}-${daily.at(-1)?.date ?? new Date().toISOString().slice(0, 10)}.csv`;
}

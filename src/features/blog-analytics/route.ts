import { lazyRouteComponent } from "@tanstack/react-router";
import { blogAdminRoute } from "#src/features/blog-admin/route.ts";
import { loadTexts } from "#src/i18n/index.ts";

const analytics = () => import("./actor.ts");

const component = lazyRouteComponent(() => import("./blog-analytics-page.tsx"), "InsightsPage");

/** Created for each prefix: the router mutates it. */
export function analyticsRoute() {
  return blogAdminRoute("titles.blogAnalytics", {
    texts: "blog-analytics",
    enter: async (asked) => {
      // The sample is written in the person's language.
      const [{ openAnalytics }] = await Promise.all([analytics(), loadTexts("blog-analytics")]);
      return { analytics: openAnalytics(asked) };
    },
    stay: async (asked) => (await analytics()).openAnalytics(asked),
    leave: async () => (await analytics()).closeAnalytics(),
    component,
  });
}

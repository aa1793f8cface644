import { lazyRouteComponent } from "@tanstack/react-router";
import { blogAdminRoute } from "#src/features/blog-admin/route.ts";
import { loadTexts } from "#src/i18n/index.ts";

const analytics = () => import("./actor.ts");

const component = lazyRouteComponent(() => import("./blog-analytics-page.tsx"), "InsightsPage");

/** Route options. The router mutates them, so each prefix creates its own. */
export function analyticsRoute() {
  return blogAdminRoute("titles.blogAnalytics", {
    texts: "blog-analytics",
    enter: async (asked) => {
      // The sample data is in the user's language.
      const [{ openAnalytics }] = await Promise.all([analytics(), loadTexts("blog-analytics")]);
      return { analytics: openAnalytics(asked) };
    },
    stay: async (asked) => (await analytics()).openAnalytics(asked),
    leave: async () => (await analytics()).closeAnalytics(),
    component,
  });
}

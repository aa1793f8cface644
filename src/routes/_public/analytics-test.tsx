import { createFileRoute } from "@tanstack/react-router";
import { TestPage } from "#src/features/analytics/test-page.tsx";

/** For developers: shows the events that the page's analytics send (SPEC.md section 2). */
export const Route = createFileRoute("/_public/analytics-test")({
  staticData: { titleKey: "titles.analyticsTest" },
  loader: async ({ preload }) => {
    if (!preload) await import("#src/features/analytics/actor.ts").then((page) => page.enterTest());
  },
  onLeave: () => import("#src/features/analytics/actor.ts").then((page) => page.leaveTest()),
  component: TestPage,
});

import { createFileRoute } from "@tanstack/react-router";
import { TestPage } from "../../components/tracking/test-page.tsx";

/** Where a developer sees what the page's own analytics send (SPEC.md section 2). */
export const Route = createFileRoute("/_public/analytics-test")({
  staticData: { titleKey: "titles.analyticsTest" },
  loader: async ({ preload }) => {
    if (!preload) await (await import("../../components/tracking/test.ts")).enterTest();
  },
  onLeave: async () => (await import("../../components/tracking/test.ts")).leaveTest(),
  component: TestPage,
});

import { createFileRoute, redirect } from "@tanstack/react-router";

/** SPEC.md section 2, "Unknown paths". */
export const Route = createFileRoute("/$")({
  beforeLoad: async () => {
    const { hasLiveToken } = await import("../app/live-token.ts");
    throw redirect({ to: hasLiveToken() ? "/dashboard" : "/", replace: true });
  },
});

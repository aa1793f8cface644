import { createFileRoute, redirect } from "@tanstack/react-router";

/** SPEC.md section 2, "Unknown paths". */
export const Route = createFileRoute("/$")({
  beforeLoad: async () => {
    const { hasLiveToken } = await import("#src/features/session/live-token.ts");
    throw redirect({ to: hasLiveToken() ? "/dashboard" : "/", replace: true });
  },
});

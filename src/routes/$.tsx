import { createFileRoute, redirect } from "@tanstack/react-router";

/** SPEC.md section 2, "Unknown paths". */
export const Route = createFileRoute("/$")({
  beforeLoad: () =>
    import("#src/features/session/live-token.ts").then((session) => {
      throw redirect({ to: session.hasLiveToken() ? "/dashboard" : "/", replace: true });
    }),
});

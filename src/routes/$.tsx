import { createFileRoute, redirect } from "@tanstack/react-router";
import { hasStoredToken } from "../app/token-hint.ts";

/** SPEC.md section 2, "Unknown paths". */
export const Route = createFileRoute("/$")({
  beforeLoad: () => {
    throw redirect({ to: hasStoredToken() ? "/dashboard" : "/", replace: true });
  },
});

import { createFileRoute } from "@tanstack/react-router";

/** The pages that need a subscription, or the free tier's minutes (SPEC.md section 5, "Subscription gate"). */
export const Route = createFileRoute("/_signedIn/_paid")({});

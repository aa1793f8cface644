import { createFileRoute } from "@tanstack/react-router";

/** The pages that need a subscription; those that the free tier may use too say so themselves (SPEC.md section 5, "Subscription gate"). */
export const Route = createFileRoute("/_signedIn/_paid")({ staticData: { need: "paid" } });

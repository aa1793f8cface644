import { createFileRoute } from "@tanstack/react-router";

/** Pages that need a subscription; those of the free tier override `need` (SPEC.md section 5, "Subscription gate"). */
export const Route = createFileRoute("/_signedIn/_paid")({ staticData: { need: "paid" } });

import { createFileRoute } from "@tanstack/react-router";

/** The pages of superusers (SPEC.md section 5, "Admin pages"). */
export const Route = createFileRoute("/_signedIn/_admin")({ staticData: { need: "superuser" } });

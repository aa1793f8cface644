import { createFileRoute } from "@tanstack/react-router";

/** The visitors' pages, which have no guard (SPEC.md section 2, "Route guard"). */
export const Route = createFileRoute("/_public")();

import { createFileRoute } from "@tanstack/react-router";
import { analyticsRoute } from "#src/features/blog-analytics/route.ts";

export const Route = createFileRoute("/_signedIn/_admin/admin/blog/analytics")(analyticsRoute());

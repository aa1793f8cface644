import { createFileRoute } from "@tanstack/react-router";
import { analyticsRoute } from "../../../components/insights/route.ts";

export const Route = createFileRoute("/_signedIn/_admin/admin/blog/analytics")(analyticsRoute());

import { createFileRoute } from "@tanstack/react-router";
import { inboxRoute } from "../../components/inbox/route.ts";

export const Route = createFileRoute("/_public/waitlist")(inboxRoute("titles.waitlist", "waitlist"));

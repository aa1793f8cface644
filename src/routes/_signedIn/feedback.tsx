import { createFileRoute } from "@tanstack/react-router";
import { inboxRoute } from "#src/features/inbox/route.ts";

export const Route = createFileRoute("/_signedIn/feedback")(inboxRoute("titles.feedback", "feedback"));

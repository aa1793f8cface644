import { createFileRoute } from "@tanstack/react-router";
import { inboxRoute } from "#src/features/inbox/route.ts";

export const Route = createFileRoute("/_public/contact")(inboxRoute("titles.contact", "contact"));

import { createFileRoute } from "@tanstack/react-router";
import { infoRoute } from "#src/features/landing/route.ts";

export const Route = createFileRoute("/_public/about")(infoRoute("titles.about", "about", true));

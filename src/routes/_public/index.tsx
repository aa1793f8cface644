import { createFileRoute } from "@tanstack/react-router";
import { Landing } from "#src/features/landing/landing.tsx";

export const Route = createFileRoute("/_public/")({
  staticData: { descriptionKey: "landing.lead", html: "built" },
  component: Landing,
});

import { createFileRoute } from "@tanstack/react-router";
import { ApiPage } from "#src/features/api/api-page.tsx";

const reference = () => import("#src/features/api/actor.ts");

/** The API reference for programs. */
export const Route = createFileRoute("/_public/api")({
  staticData: { titleKey: "titles.api" },
  preload: false,
  loader: async () => (await reference()).openReference(),
  onLeave: async () => (await reference()).closeReference(),
  component: () => <ApiPage reference={Route.useLoaderData()} />,
});

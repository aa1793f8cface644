import { createFileRoute } from "@tanstack/react-router";
import { ApiPage } from "#src/features/api/api-page.tsx";

const reference = () => import("#src/features/api/actor.ts");

/** What programs can ask of this server. */
export const Route = createFileRoute("/_public/api")({
  staticData: { titleKey: "titles.api" },
  preload: false,
  loader: async () => (await reference()).openReference(),
  onLeave: async () => (await reference()).closeReference(),
  component: () => <ApiPage reference={Route.useLoaderData()} />,
});

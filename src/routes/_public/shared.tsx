import { createFileRoute } from "@tanstack/react-router";
import { VisitPage } from "#src/features/sharing/visit-page.tsx";

const visit = () => import("#src/features/sharing/visit-actor.ts");

/** A link to a transcript. The fragment contains its secret. */
export const Route = createFileRoute("/_public/shared")({
  staticData: { titleKey: "titles.transcription" },
  loader: async () => (await visit()).visits.enter(),
  onLeave: async () => (await visit()).visits.leave(),
  component: () => <VisitPage visit={Route.useLoaderData()} />,
});

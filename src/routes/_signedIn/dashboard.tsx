import { createFileRoute } from "@tanstack/react-router";
import { FewModelsNotice } from "#src/features/engines/few-models-notice.tsx";
import { History } from "#src/features/transcriptions/transcriptions-page.tsx";
import { DashboardDrop } from "#src/features/uploads/dashboard-drop.tsx";

export const Route = createFileRoute("/_signedIn/dashboard")({
  staticData: { titleKey: "titles.dashboard" },
  loader: () =>
    import("#src/features/transcriptions/actor.ts").then((page) => {
      const transcriptions = page.openTranscriptions();
      transcriptions.actor.send({ type: "list.requested" });
      return transcriptions;
    }),
  component: Dashboard,
});

function Dashboard() {
  return (
    <>
      <History {...Route.useLoaderData()} notice={<FewModelsNotice />} />
      <DashboardDrop />
    </>
  );
}

import { createFileRoute } from "@tanstack/react-router";
import { MachinesPage } from "#src/features/inspection/machines-page.tsx";
import { i18n } from "#src/i18n/index.ts";

/** Inspects the machines of another tab (`?inspect` there). */
export const Route = createFileRoute("/_public/debug/machines")({
  staticData: { titleKey: "inspection:title" },
  preload: false,
  loader: async () => {
    const [{ openMachines }] = await Promise.all([
      import("#src/features/inspection/open-machines.ts"),
      i18n.loadNamespaces("inspection"),
    ]);
    return openMachines();
  },
  onLeave: () => import("#src/features/inspection/open-machines.ts").then((page) => page.closeMachines()),
  component: () => <MachinesPage inspector={Route.useLoaderData()} />,
});

import { createFileRoute } from "@tanstack/react-router";
import { MachinesPage } from "#src/features/inspection/machines-page.tsx";
import { i18n } from "#src/i18n/index.ts";

/** Inspects the machines of another tab (`?inspect` there). */
export const Route = createFileRoute("/_public/debug/machines")({
  staticData: { titleKey: "inspection:title" },
  loader: async ({ preload }) => {
    if (preload) return undefined;
    const [{ openMachines }] = await Promise.all([
      import("#src/features/inspection/open-machines.ts"),
      i18n.loadNamespaces("inspection"),
    ]);
    return openMachines();
  },
  onLeave: () => import("#src/features/inspection/open-machines.ts").then((page) => page.closeMachines()),
  component: Machines,
});

function Machines() {
  const inspector = Route.useLoaderData();
  return inspector === undefined ? null : <MachinesPage inspector={inspector} />;
}

import { createFileRoute } from "@tanstack/react-router";
import { canTranscribe } from "#src/api/engines.ts";
import { NotOffered } from "#src/features/shell/not-offered.tsx";
import { UploadConfigPage } from "#src/features/uploads/upload-config-page.tsx";
import type { ShareOutcome } from "#src/service-worker/shared.ts";

const outcomes = ["there", "tooLarge", "full", "missed"] as const satisfies ShareOutcome[];

/** What became of files that another app has shared stands in the address that it leads to. */
const sharedOf = ({ shared }: Record<string, unknown>): { shared?: ShareOutcome } => {
  const known = outcomes.find((one) => one === shared);
  return known === undefined ? {} : { shared: known };
};

export const Route = createFileRoute("/_signedIn/file-upload-config")({
  staticData: { titleKey: "titles.fileUploadConfig" },
  validateSearch: sharedOf,
  loader: async ({ cause }) => {
    const [{ loadFileEngines }, { sharedFiles }, { currentUserId }, { enterUploadConfig }] = await Promise.all([
      import("#src/features/engines/actor.ts"),
      import("#src/features/uploads/shared-files.ts"),
      import("#src/features/session/actor.ts"),
      import("#src/features/uploads/config-actor.ts"),
    ]);
    const [engines, shared] = await Promise.all([loadFileEngines(), sharedFiles(currentUserId() ?? "")]);
    return { engines, isShared: shared.length > 0, config: enterUploadConfig(engines, shared, cause === "stay") };
  },
  onLeave: () => import("#src/features/uploads/config-actor.ts").then((page) => page.leaveUploadConfig()),
  component: Config,
});

function Config() {
  const { engines, isShared, config } = Route.useLoaderData();
  const { shared: outcome } = Route.useSearch();
  if (!canTranscribe(engines)) return <NotOffered feature="transcribing" />;
  return <UploadConfigPage config={config} engines={engines} isShared={isShared} outcome={outcome} />;
}

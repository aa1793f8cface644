import { createFileRoute } from "@tanstack/react-router";
import { canTranscribe } from "#src/api/engines.ts";
import { NotOffered } from "#src/features/shell/not-offered.tsx";
import { UploadConfigPage } from "#src/features/uploads/upload-config-page.tsx";
import type { ShareTargetOutcome } from "#src/service-worker/share-target.ts";

const outcomes = ["there", "tooLarge", "full", "missed"] as const satisfies ShareTargetOutcome[];

/** The result of files shared by another app, which the share target's redirect puts into the address. */
const outcomeOf = ({ shared }: Record<string, unknown>): { shared?: ShareTargetOutcome } => {
  const known = outcomes.find((one) => one === shared);
  return known === undefined ? {} : { shared: known };
};

export const Route = createFileRoute("/_signedIn/file-upload-config")({
  staticData: { titleKey: "titles.fileUploadConfig" },
  validateSearch: outcomeOf,
  loader: async ({ cause }) => {
    const [{ loadFileEngines }, { shareTargetFiles }, { currentUserId }, { enterUploadConfig }] = await Promise.all([
      import("#src/features/engines/actor.ts"),
      import("#src/features/uploads/share-target-files.ts"),
      import("#src/features/session/actor.ts"),
      import("#src/features/uploads/config-actor.ts"),
    ]);
    const [engines, files] = await Promise.all([loadFileEngines(), shareTargetFiles(currentUserId() ?? "")]);
    return { engines, hasShareTargetFiles: files.length > 0, config: enterUploadConfig(engines, files, cause === "stay") };
  },
  onLeave: () => import("#src/features/uploads/config-actor.ts").then((page) => page.leaveUploadConfig()),
  component: Config,
});

function Config() {
  const { engines, hasShareTargetFiles, config } = Route.useLoaderData();
  const { shared: outcome } = Route.useSearch();
  if (!canTranscribe(engines)) return <NotOffered feature="transcribing" />;
  return <UploadConfigPage config={config} engines={engines} hasShareTargetFiles={hasShareTargetFiles} outcome={outcome} />;
}

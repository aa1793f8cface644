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
  loader: async () => {
    const [{ loadFileEngines }, { sharedFiles }, { currentUserId }] = await Promise.all([
      import("#src/features/engines/actor.ts"),
      import("#src/features/uploads/shared-files.ts"),
      import("#src/features/session/actor.ts"),
    ]);
    const [engines, shared] = await Promise.all([loadFileEngines(), sharedFiles(currentUserId() ?? "")]);
    return { engines, shared };
  },
  component: Config,
});

function Config() {
  const { engines, shared } = Route.useLoaderData();
  const { shared: outcome } = Route.useSearch();
  if (!canTranscribe(engines)) return <NotOffered feature="transcribing" />;
  return <UploadConfigPage engines={engines} shared={shared} outcome={outcome} />;
}

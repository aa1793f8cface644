import { createFileRoute } from "@tanstack/react-router";
import { canTranscribe } from "#src/api/engines.ts";
import { NotOffered } from "#src/features/shell/not-offered.tsx";
import { UploadConfigPage } from "#src/features/uploads/upload-config-page.tsx";

export const Route = createFileRoute("/_signedIn/file-upload-config")({
  staticData: { titleKey: "titles.fileUploadConfig" },
  loader: async () => {
    const { loadFileEngines } = await import("#src/features/engines/actor.ts");
    return { engines: await loadFileEngines() };
  },
  component: Config,
});

function Config() {
  const { engines } = Route.useLoaderData();
  return canTranscribe(engines) ? <UploadConfigPage engines={engines} /> : <NotOffered feature="transcribing" />;
}

import { createFileRoute } from "@tanstack/react-router";
import { canTranscribe } from "#src/api/engines.ts";
import { NotOffered } from "#src/features/shell/not-offered.tsx";
import { UploadConfigPage } from "#src/features/uploads/upload-config-page.tsx";

export const Route = createFileRoute("/_signedIn/file-upload-config")({
  staticData: { titleKey: "titles.fileUploadConfig" },
  loader: async () => {
    const [{ loadFileEngines }, { askUsage }] = await Promise.all([
      import("#src/features/engines/actor.ts"),
      import("#src/features/subscription/usage.ts"),
    ]);
    askUsage();
    return { engines: await loadFileEngines() };
  },
  component: Config,
});

function Config() {
  const { engines } = Route.useLoaderData();
  return canTranscribe(engines) ? <UploadConfigPage engines={engines} /> : <NotOffered feature="transcribing" />;
}

import { createFileRoute } from "@tanstack/react-router";
import { canTranscribe } from "../../api/engines.ts";
import { UploadConfigPage } from "../../components/files/upload-config.tsx";
import { NotOffered } from "../../components/shell/not-offered.tsx";

export const Route = createFileRoute("/_signedIn/file-upload-config")({
  staticData: { titleKey: "titles.fileUploadConfig" },
  loader: async () => {
    const [{ loadFileEngines }, { askUsage }] = await Promise.all([import("../../app/engines.ts"), import("../../app/usage.ts")]);
    askUsage();
    return { engines: await loadFileEngines() };
  },
  component: Config,
});

function Config() {
  const { engines } = Route.useLoaderData();
  return canTranscribe(engines) ? <UploadConfigPage engines={engines} /> : <NotOffered feature="transcribing" />;
}

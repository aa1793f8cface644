import { createFileRoute } from "@tanstack/react-router";
import { UploadConfigPage } from "../../components/files/upload-config.tsx";
import { loadTexts } from "../../i18n/index.ts";

export const Route = createFileRoute("/_signedIn/file-upload-config")({
  staticData: { titleKey: "titles.fileUploadConfig" },
  loader: async () => {
    const [{ loadEngines }, { askUsage }] = await Promise.all([import("../../app/engines.ts"), import("../../app/usage.ts")]);
    askUsage();
    const [engines] = await Promise.all([loadEngines(), loadTexts("files")]);
    return { engines };
  },
  component: Config,
});

function Config() {
  return <UploadConfigPage {...Route.useLoaderData()} />;
}

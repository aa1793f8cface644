import { createFileRoute } from "@tanstack/react-router";
import { UrlConfigPage } from "../../components/files/url-config.tsx";
import { loadTexts } from "../../i18n/index.ts";

export const Route = createFileRoute("/_signedIn/url-transcription-config")({
  staticData: { titleKey: "titles.urlConfig" },
  loader: async () => {
    const [{ loadEngines }, { enterUrlForm }] = await Promise.all([
      import("../../app/engines.ts"),
      import("../../app/url-form.ts"),
    ]);
    const [engines] = await Promise.all([loadEngines(), loadTexts("files")]);
    return { engines, form: enterUrlForm() };
  },
  onLeave: async () => (await import("../../app/url-form.ts")).leaveUrlForm(),
  component: Config,
});

function Config() {
  const { form, engines } = Route.useLoaderData();
  // Another form (another person's, the next one) has nothing of the one before.
  return <UrlConfigPage key={form.sessionId} form={form} engines={engines} />;
}

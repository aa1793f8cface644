import { createFileRoute } from "@tanstack/react-router";
import { canTranscribe } from "../../api/engines.ts";
import { UrlConfigPage } from "../../components/files/url-config.tsx";
import { NotOffered } from "../../components/shell/not-offered.tsx";

export const Route = createFileRoute("/_signedIn/url-transcription-config")({
  staticData: { titleKey: "titles.urlConfig" },
  loader: async () => (await import("../../app/url-form.ts")).enterUrlConfig(),
  onLeave: async () => (await import("../../app/url-form.ts")).leaveUrlForm(),
  component: Config,
});

function Config() {
  const { form, engines } = Route.useLoaderData();
  if (!canTranscribe(engines)) return <NotOffered feature="transcribing" />;
  // Another form (another person's, the next one) has nothing of the one before.
  return <UrlConfigPage key={form.sessionId} form={form} engines={engines} />;
}

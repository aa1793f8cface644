import { createFileRoute } from "@tanstack/react-router";
import { canTranscribe } from "#src/api/engines.ts";
import { NotOffered } from "#src/features/shell/not-offered.tsx";
import { UrlConfigPage } from "#src/features/uploads/url-config-page.tsx";

export const Route = createFileRoute("/_signedIn/url-transcription-config")({
  staticData: { titleKey: "titles.urlConfig" },
  loader: () => import("#src/features/uploads/url-form-actor.ts").then((page) => page.enterUrlConfig()),
  onLeave: () => import("#src/features/uploads/url-form-actor.ts").then((page) => page.leaveUrlForm()),
  component: Config,
});

function Config() {
  const { form, engines } = Route.useLoaderData();
  if (!canTranscribe(engines)) return <NotOffered feature="transcribing" />;
  // The key ensures that a new form, such as another user's, shares no state with the previous one.
  return <UrlConfigPage key={form.sessionId} form={form} engines={engines} />;
}

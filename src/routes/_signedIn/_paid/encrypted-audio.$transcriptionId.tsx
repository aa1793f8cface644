import { createFileRoute } from "@tanstack/react-router";
import { EntrustedPage } from "#src/features/vault/entrusted-page.tsx";
import { loadTexts } from "#src/i18n/index.ts";

export const Route = createFileRoute("/_signedIn/_paid/encrypted-audio/$transcriptionId")({
  staticData: { titleKey: "titles.encryptedAudio" },
  loader: async ({ params, abortController }) => {
    const [{ openVault, findPlain }] = await Promise.all([
      import("#src/features/vault/actor.ts"),
      loadTexts("vault"),
      // Loaded in advance, because there may be no network later.
      loadTexts("device-models"),
    ]);
    const { transcriptionId } = params;
    const vault = openVault();
    vault.translators.load();
    return { transcriptionId, vault, ...(await findPlain(vault, transcriptionId, abortController.signal)) };
  },
  onLeave: () => import("#src/features/vault/actor.ts").then((page) => page.leaveVault()),
  component: () => <EntrustedPage {...Route.useLoaderData()} />,
});

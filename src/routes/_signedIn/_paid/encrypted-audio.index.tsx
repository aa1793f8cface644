import { createFileRoute } from "@tanstack/react-router";
import { VaultPage } from "#src/features/vault/vault-page.tsx";
import { loadTexts } from "#src/i18n/index.ts";

export const Route = createFileRoute("/_signedIn/_paid/encrypted-audio/")({
  staticData: { titleKey: "titles.encryptedAudio" },
  loader: async () => {
    const [{ openVault }] = await Promise.all([
      import("#src/features/vault/actor.ts"),
      loadTexts("vault"),
      // Texts about links in general.
      loadTexts("sharing"),
      // Texts for the words during a recording. Loaded in advance, because there may be no network later.
      loadTexts("device-models"),
      loadTexts("dictation"),
    ]);
    return openVault();
  },
  onLeave: () => import("#src/features/vault/actor.ts").then((page) => page.leaveVault()),
  component: () => <VaultPage vault={Route.useLoaderData()} />,
});

import { createFileRoute } from "@tanstack/react-router";
import { VaultPage } from "#src/features/vault/vault-page.tsx";
import { loadTexts } from "#src/i18n/index.ts";

export const Route = createFileRoute("/_signedIn/_paid/encrypted-audio/")({
  staticData: { titleKey: "titles.encryptedAudio" },
  loader: async () => {
    const [{ openVault }] = await Promise.all([
      import("#src/features/vault/actor.ts"),
      loadTexts("vault"),
      // What is said of links in general.
      loadTexts("sharing"),
      // Of the words while recording, before they are needed: perhaps there is no network then.
      loadTexts("device-models"),
      loadTexts("dictation"),
    ]);
    return openVault();
  },
  onLeave: () => import("#src/features/vault/actor.ts").then((page) => page.leaveVault()),
  component: () => <VaultPage vault={Route.useLoaderData()} />,
});

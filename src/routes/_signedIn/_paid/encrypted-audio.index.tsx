import { createFileRoute } from "@tanstack/react-router";
import { VaultPage } from "../../../components/vault/vault-page.tsx";
import { loadTexts } from "../../../i18n/index.ts";

export const Route = createFileRoute("/_signedIn/_paid/encrypted-audio/")({
  staticData: { titleKey: "titles.encryptedAudio" },
  loader: async () => {
    const [{ openVault }] = await Promise.all([import("../../../app/vault.ts"), loadTexts("vault")]);
    return openVault();
  },
  onLeave: async () => (await import("../../../app/vault.ts")).leaveVault(),
  component: EncryptedAudio,
});

function EncryptedAudio() {
  return <VaultPage vault={Route.useLoaderData()} />;
}

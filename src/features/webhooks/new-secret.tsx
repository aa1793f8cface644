import { useTranslation } from "react-i18next";
import type { CreatedWebhook } from "#contract/index.ts";
import { ShownOnce } from "#src/ui/shown-once.tsx";
import type { Webhooks } from "./actor.ts";

/** What the new webhook's messages are signed with, shown this once. */
export function NewSecret({ webhooks, created }: { webhooks: Webhooks; created: CreatedWebhook }) {
  const { t } = useTranslation("webhooks");
  return (
    <ShownOnce
      title={t("created.title")}
      value={created.secret}
      testId="webhook-secret"
      labels={{
        copy: t("created.copy"),
        done: t("created.done"),
        copied: t("created.copied"),
        notCopied: t("created.notCopied"),
      }}
      onDone={() => webhooks.send({ type: "secret.dismissed" })}
    >
      {t("created.text")}
    </ShownOnce>
  );
}

import { useTranslation } from "react-i18next";
import { ShownOnce } from "#src/features/collection/shown-once.tsx";
import type { Webhooks } from "./actor.ts";

/** What the new webhook's messages are signed with, shown this once. */
export function NewSecret({ webhooks, secret }: { webhooks: Webhooks; secret: string }) {
  const { t } = useTranslation("webhooks");
  return (
    <ShownOnce
      actor={webhooks}
      title={t("created.title")}
      value={secret}
      testId="webhook-secret"
      labels={{
        copy: t("created.copy"),
        done: t("created.done"),
        copied: t("created.copied"),
        notCopied: t("created.notCopied"),
      }}
    >
      {t("created.text")}
    </ShownOnce>
  );
}

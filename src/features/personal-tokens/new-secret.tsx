import { useTranslation } from "react-i18next";
import type { CreatedPersonalToken } from "#contract/index.ts";
import { ShownOnce } from "#src/ui/shown-once.tsx";
import type { PersonalTokens } from "./actor.ts";

/** The new token, shown this once. */
export function NewSecret({ tokens, created }: { tokens: PersonalTokens; created: CreatedPersonalToken }) {
  const { t } = useTranslation("personal-tokens");
  return (
    <ShownOnce
      title={t("created.title", { name: created.name })}
      value={created.token}
      testId="new-token"
      labels={{
        copy: t("created.copy"),
        done: t("created.done"),
        copied: t("created.copied"),
        notCopied: t("created.notCopied"),
      }}
      onDone={() => tokens.send({ type: "secret.dismissed" })}
    >
      {t("created.text")}
    </ShownOnce>
  );
}

import { useTranslation } from "react-i18next";
import type { Created } from "#machines/collection/events.ts";
import type { TokenTypes } from "#machines/personal-tokens/machine.ts";
import { ShownOnce } from "#src/features/collection/shown-once.tsx";
import type { PersonalTokens } from "./actor.ts";

/** The new token, shown this once. */
export function NewSecret({ tokens, created: { item, secret } }: { tokens: PersonalTokens; created: Created<TokenTypes> }) {
  const { t } = useTranslation("personal-tokens");
  return (
    <ShownOnce
      actor={tokens}
      title={t("created.title", { name: item.name })}
      value={secret}
      testId="new-token"
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

import { useSelector } from "@xstate/react";
import { useTranslation } from "react-i18next";
import { selectIsUnavailable } from "#machines/collection/loading.ts";
import { PersonalTokensCard } from "#src/features/personal-tokens/personal-tokens-card.tsx";
import { WebhooksCard } from "#src/features/webhooks/webhooks-card.tsx";
import { Confirmation } from "./methods.tsx";
import { Card } from "./part.tsx";
import { NotOffered, SectionView } from "./section-view.tsx";
import type { DeveloperState } from "./states.ts";

/** Settings for the user's own programs and servers. */
export function Developer({ tokens, webhooks, methods }: DeveloperState) {
  const { t } = useTranslation("settings");
  const hasTokens = !useSelector(tokens, selectIsUnavailable);
  const hasWebhooks = !useSelector(webhooks, selectIsUnavailable);
  return (
    <SectionView name="developer">
      {hasTokens ? (
        <Card id="personal-tokens" title={t("personal-tokens:title")} text={t("personal-tokens:text")}>
          <PersonalTokensCard tokens={tokens} confirmation={<Confirmation methods={methods} />} />
        </Card>
      ) : null}
      {hasWebhooks ? (
        <Card id="webhooks" title={t("webhooks:title")} text={t("webhooks:text")}>
          <WebhooksCard webhooks={webhooks} />
        </Card>
      ) : null}
      {hasTokens || hasWebhooks ? null : <NotOffered />}
    </SectionView>
  );
}

import { useSelector } from "@xstate/react";
import { type ReactNode, useId } from "react";
import { useTranslation } from "react-i18next";
import type { ConsentChoice as Choice } from "#machines/analytics/rules.ts";
import { selectConsent } from "#machines/analytics/selectors.ts";
import { ChoiceCard, ChoiceCards } from "#src/ui/choice-cards.tsx";
import { openAnalytics } from "./actor.ts";

const choices: readonly Choice[] = ["refused", "agreed"];

/** Shows and changes the consent to analytics, and names the recipients. */
export function ConsentChoice() {
  const { t } = useTranslation("analytics");
  const name = useId();
  const { actor, tagHost, lookupHost } = openAnalytics();
  const consent = useSelector(actor, selectConsent);
  const isOpen = consent !== "refusedBySignal" && consent !== "notConfigured";
  return (
    <div className="stack gap-2 size-1">
      {isOpen ? (
        <ChoiceCards legend={t("choice.legend")}>
          {choices.map((choice) => (
            <ChoiceCard
              key={choice}
              name={name}
              checked={consent === choice}
              onChange={() => actor.send({ type: "consent.chosen", choice })}
            >
              {t(`choice.${choice}`)}
            </ChoiceCard>
          ))}
        </ChoiceCards>
      ) : null}
      <p className="soft" role="status">
        {t(`choice.state.${consent}`)}
      </p>
      {tagHost ? <p className="soft">{t("choice.tag", { tag: tagHost })}</p> : null}
      {lookupHost ? <p className="soft">{t("choice.lookup", { lookup: lookupHost })}</p> : null}
    </div>
  );
}

/** The choice with a title, which the caller can wrap in its own frame. */
export function TitledChoice({ around = (choice) => choice }: { around?: (choice: ReactNode, title: string) => ReactNode }) {
  const { t } = useTranslation("analytics");
  return around(<ConsentChoice />, t("choice.title"));
}

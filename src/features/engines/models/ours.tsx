import { useSelector } from "@xstate/react";
import { useTranslation } from "react-i18next";
import type { ModelsAnswer } from "#contract/index.ts";
import { isOurs, suggestionsFor } from "#machines/engines/models/rules.ts";
import { selectNeeds } from "#machines/engines/models/selectors.ts";
import type { Models } from "./actor.ts";
import { Group } from "./group.tsx";
import { ModelItem } from "./model-item.tsx";
import styles from "./models.module.css";
import { modelName, wordsOf } from "./words.ts";

/** What is installed, on its way, or was to come and did not; what needs a look comes first. What is suggested shows its progress there. */
export function Ours({ models, answer }: { models: Models; answer: ModelsAnswer }) {
  const words = wordsOf(useTranslation("models"));
  const { t, language } = words;
  const needs = useSelector(models, selectNeeds);
  const above = new Set(suggestionsFor(answer.models, needs).found.flatMap((suggestion) => suggestion.models));
  const ours = answer.models
    .filter((model) => isOurs(model) && (model.installed !== null || !above.has(model)))
    .toSorted(
      (a, b) =>
        Number(a.installed !== null) - Number(b.installed !== null) ||
        modelName(a, words).localeCompare(modelName(b, words), language),
    );
  return (
    <Group id="ours" title={t("ours.title")} lead={t("ours.lead")}>
      {answer.models.every(({ installed }) => installed === null) ? <p className={styles.soft}>{t("ours.empty")}</p> : null}
      <ul className={styles.items}>
        {ours.map((model) => (
          <li key={model.id}>
            <ModelItem models={models} model={model} machine={answer.machine} place="ours" />
          </li>
        ))}
      </ul>
    </Group>
  );
}

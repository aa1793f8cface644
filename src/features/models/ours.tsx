import { useSelector } from "@xstate/react";
import { useTranslation } from "react-i18next";
import type { ModelsAnswer } from "#contract/index.ts";
import { needsOf } from "#machines/models/needs.ts";
import { isOurs } from "#machines/models/rules.ts";
import { selectTarget } from "#machines/models/selectors.ts";
import type { Models } from "./actor.ts";
import { Group } from "./group.tsx";
import { ModelItem } from "./model-item.tsx";
import styles from "./models.module.css";
import { modelName, wordsOf } from "./words.ts";

/** What is installed, on its way, or was to come and did not; what needs a look comes first. What serves a need shows its progress there. */
export function Ours({ models, answer }: { models: Models; answer: ModelsAnswer }) {
  const words = wordsOf(useTranslation("models"));
  const { t, language } = words;
  const target = useSelector(models, selectTarget);
  const above = new Set(needsOf(answer.models, target).flatMap((need) => need.models));
  const ours = answer.models
    .filter((model) => isOurs(model) && (model.installed !== null || !above.has(model)))
    .toSorted(
      (a, b) =>
        Number(a.installed !== null) - Number(b.installed !== null) ||
        modelName(a, words).localeCompare(modelName(b, words), language),
    );
  return (
    <Group id="ours" title={t("ours.title")} lead={t("ours.lead")}>
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

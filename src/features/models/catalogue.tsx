import { useSelector } from "@xstate/react";
import { useTranslation } from "react-i18next";
import type { AdminModel, ModelPurpose, ModelsAnswer } from "#contract/index.ts";
import { filtered, type ModelFilter } from "#machines/models/rules.ts";
import { selectFilter } from "#machines/models/selectors.ts";
import { byName, languageName } from "#src/i18n/format.ts";
import { Button } from "#src/ui/button.tsx";
import { ChoiceCard, ChoiceCards } from "#src/ui/choice-cards.tsx";
import { ChoiceField, TextField } from "#src/ui/field.tsx";
import type { Models } from "./actor.ts";
import { Group } from "./group.tsx";
import { ModelItem } from "./model-item.tsx";
import styles from "./models.module.css";
import { modelName, type Words, wordsOf } from "./words.ts";

/** The most wanted purposes come first. */
const purposes = ["hearing", "translation", "speaking", "speakers", "punctuation"] as const satisfies readonly ModelPurpose[];

/** The number of models shown before the user asks for all. */
const beginning = 10;

/** All models that can be installed, by purpose. */
export function Catalogue({ models, answer }: { models: Models; answer: ModelsAnswer }) {
  const words = wordsOf(useTranslation("models"));
  const { t, language } = words;
  const filter = useSelector(models, selectFilter);
  const change = (changed: Partial<ModelFilter>) => models.send({ type: "filter.changed", filter: changed });
  const found = filtered(answer.models, filter, (model) => searchText(model, words)).toSorted(
    (a, b) =>
      b.recommendedFor.length - a.recommendedFor.length || modelName(a, words).localeCompare(modelName(b, words), language),
  );
  // Translation needs a chosen pair first, because there are models for hundreds of pairs.
  const needsPair =
    filter.purpose === "translation" && [filter.source, filter.target, filter.search].every((text) => text === "");
  const shown = needsPair ? [] : filter.isWhole ? found : found.slice(0, beginning);
  return (
    <Group id="catalogue" title={t("catalogue.title")} lead={t("catalogue.lead")}>
      <search className="stack">
        <ChoiceCards legend={t("catalogue.purpose")} legendClass="size-1 strong">
          {purposes
            .filter((purpose) => answer.models.some((model) => model.purpose === purpose))
            .map((purpose) => (
              <ChoiceCard
                key={purpose}
                name="purpose"
                checked={filter.purpose === purpose}
                onChange={() => change({ purpose, source: "", target: "" })}
              >
                {t(`purpose.${purpose}`)}
              </ChoiceCard>
            ))}
        </ChoiceCards>
        <Filters answer={answer} filter={filter} onChange={change} />
      </search>
      <p className="note" role="status">
        {found.length === 0
          ? t("catalogue.none")
          : t(needsPair ? "catalogue.choosePair" : "catalogue.count", { count: found.length })}
      </p>
      <ul className={styles.items}>
        {shown.map((model) => (
          <li key={model.id}>
            <ModelItem models={models} model={model} machine={answer.machine} place="catalogue" />
          </li>
        ))}
      </ul>
      {needsPair || found.length <= shown.length ? null : (
        <Button
          className="self-start"
          onClick={({ currentTarget }) => {
            // The button disappears. The focus moves to the last visible model, where the user continues to read.
            const last = currentTarget.parentElement?.querySelector<HTMLElement>("li:last-child h3");
            last?.focus({ preventScroll: true });
            change({ isWhole: true });
          }}
        >
          {t("catalogue.whole", { count: found.length - shown.length })}
        </Button>
      )}
    </Group>
  );
}

const searchText = (model: AdminModel, words: Words): string =>
  [model.id, modelName(model, words), ...model.languages.map((code) => languageName(code, words.language))].join(" ");

interface FiltersProps {
  answer: ModelsAnswer;
  filter: ModelFilter;
  onChange(changed: Partial<ModelFilter>): void;
}

function Filters({ answer, filter, onChange }: FiltersProps) {
  const { t, language } = wordsOf(useTranslation("models"));
  const isTranslation = filter.purpose === "translation";
  const listed = answer.models.filter(({ purpose }) => purpose === filter.purpose);
  const languages = byName(
    listed.flatMap((model) => model.languages),
    language,
  );
  const options = {
    values: ["", ...languages],
    textOf: (code: string) => (code === "" ? t("catalogue.any") : languageName(code, language)),
  };
  return (
    <div className={`columns gap-3 ${styles.fields}`}>
      {languages.length < 2 ? null : (
        <ChoiceField
          {...options}
          label={t(isTranslation ? "catalogue.source" : "catalogue.language")}
          name="source"
          value={filter.source}
          onChoose={(source) => onChange({ source })}
        />
      )}
      {isTranslation ? (
        <ChoiceField
          {...options}
          label={t("catalogue.target")}
          name="target"
          value={filter.target}
          onChoose={(target) => onChange({ target })}
        />
      ) : null}
      <TextField
        type="search"
        label={t("catalogue.search")}
        name="search"
        value={filter.search}
        onChange={({ target }) => onChange({ search: target.value })}
      />
    </div>
  );
}

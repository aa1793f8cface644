import { useSelector } from "@xstate/react";
import type { MouseEvent } from "react";
import { useTranslation } from "react-i18next";
import type { ModelsAnswer } from "#contract/index.ts";
import { type Needs, type Use, uses } from "#machines/engines/models/rules.ts";
import { selectNeeds } from "#machines/engines/models/selectors.ts";
import { languageName } from "#src/i18n/format.ts";
import { Combobox } from "#src/ui/combobox.tsx";
import { Icon } from "#src/ui/icon.tsx";
import type { Models } from "./actor.ts";
import { Group } from "./group.tsx";
import styles from "./models.module.css";
import { SuggestionList } from "./suggestions.tsx";
import { languageOptions, wordsOf } from "./words.ts";

/** The languages and uses that somebody needs, and what to install for them. */
export function NeedsGroup({ models, answer }: { models: Models; answer: ModelsAnswer }) {
  const { t } = wordsOf(useTranslation("models"));
  const needs = useSelector(models, selectNeeds);
  const change = (changed: Partial<Needs>) => models.send({ type: "needs.changed", needs: { ...needs, ...changed } });
  return (
    <Group id="needs" title={t("needs.title")} lead={t("needs.lead")}>
      <div className={styles.needs}>
        <Languages needs={needs} answer={answer} onChange={(languages) => change({ languages })} />
        <fieldset className={styles.uses}>
          <legend>{t("needs.uses")}</legend>
          {uses.map((use) => (
            <label key={use} className={styles.use}>
              <input
                type="checkbox"
                checked={needs.uses.includes(use)}
                onChange={({ target }) => change({ uses: toggled(needs.uses, use, target.checked) })}
              />
              {t(`needs.use.${use}`)}
            </label>
          ))}
        </fieldset>
      </div>
      <SuggestionList models={models} answer={answer} needs={needs} />
    </Group>
  );
}

const toggled = (chosen: readonly Use[], use: Use, isOn: boolean): Use[] =>
  uses.filter((one) => (one === use ? isOn : chosen.includes(one)));

interface LanguagesProps {
  needs: Needs;
  answer: ModelsAnswer;
  onChange(languages: readonly string[]): void;
}

/** The removed language's button goes: the field to add one takes the focus. */
const focusField = ({ currentTarget }: MouseEvent) =>
  currentTarget.closest("fieldset")?.querySelector<HTMLElement>("input")?.focus({ preventScroll: true });

function Languages({ needs: { languages }, answer, onChange }: LanguagesProps) {
  const words = wordsOf(useTranslation("models"));
  const { t, language } = words;
  const options = languageOptions(answer.models, words).filter(({ value }) => !languages.includes(value));
  return (
    <fieldset className={styles.languages}>
      <legend>{t("needs.languages")}</legend>
      {languages.length === 0 ? null : (
        <ul className={styles.chips}>
          {languages.map((code) => (
            <li key={code} className={styles.chip}>
              {languageName(code, language)}
              <button
                type="button"
                aria-label={t("needs.remove", { language: languageName(code, language) })}
                onClick={(event) => {
                  focusField(event);
                  onChange(languages.filter((one) => one !== code));
                }}
              >
                <Icon name="close" />
              </button>
            </li>
          ))}
        </ul>
      )}
      <Combobox
        // Empty again after each choice.
        key={languages.join()}
        label={t("needs.add")}
        options={options}
        value=""
        emptyText={t("needs.noMatch")}
        onChange={(code) => onChange([...languages, code])}
      />
    </fieldset>
  );
}

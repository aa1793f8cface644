import { type MouseEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import type { TranslationOptions } from "#contract/index.ts";
import type { ChoiceEdit } from "#machines/models/choices.ts";
import { languageName } from "#src/i18n/format.ts";
import { Button, IconButton } from "#src/ui/button.tsx";
import { SelectField } from "#src/ui/field.tsx";
import styles from "./models.module.css";
import { wordsOf } from "./words.ts";

interface TranslationOrderProps {
  pairs: readonly TranslationOptions[];
  chosen: Readonly<Record<string, readonly string[]>>;
  onChange(edit: ChoiceEdit): void;
}

const keyOf = ({ source, target }: TranslationOptions): string => `${source}>${target}`;

/** The engines of a pair in the order in which they are asked: as chosen, then those that were not named. */
function ordered({ engines }: TranslationOptions, chosen: readonly string[] | undefined): TranslationOptions["engines"] {
  if (chosen === undefined) return engines;
  const rank = (id: string) => (chosen.includes(id) ? chosen.indexOf(id) : chosen.length);
  return engines.toSorted((a, b) => rank(a.id) - rank(b.id));
}

/** The order of the engines for one pair at a time. */
export function TranslationOrder({ pairs, chosen, onChange }: TranslationOrderProps) {
  const { t, language } = wordsOf(useTranslation("models"));
  const [wanted, setWanted] = useState("");
  const pair = pairs.find((one) => keyOf(one) === wanted) ?? pairs[0];
  if (pair === undefined) return null;
  const key = keyOf(pair);
  const engines = ordered(pair, chosen[key]);
  const swap = (index: number, { currentTarget }: MouseEvent) => {
    const ids = engines.map(({ id }) => id);
    const moved = ids.slice(index, index + 2).toReversed();
    onChange({ of: "translation", key, value: [...ids.slice(0, index), ...moved, ...ids.slice(index + 2)] });
    // At either end its button is disabled: the list's heading takes the focus.
    currentTarget.closest("section")?.querySelector<HTMLElement>("h3")?.focus({ preventScroll: true });
  };
  const nameOf = ({ source, target }: TranslationOptions) =>
    t("pair", { source: languageName(source, language), target: languageName(target, language) });
  return (
    <section className={styles.choices} aria-labelledby="choices-translation">
      <h3 id="choices-translation" tabIndex={-1}>
        {t("choices.translation")}
      </h3>
      <SelectField label={t("choices.pair")} name="pair" value={key} onChange={({ target }) => setWanted(target.value)}>
        {pairs.map((one) => (
          <option key={keyOf(one)} value={keyOf(one)}>
            {nameOf(one)}
          </option>
        ))}
      </SelectField>
      <p className={styles.soft}>{t("choices.order")}</p>
      <ol className={styles.order}>
        {engines.map(({ id, name }, index) => (
          <li key={id}>
            <span>{name}</span>
            <IconButton
              icon="up"
              label={t("choices.up", { name })}
              disabled={index === 0}
              onClick={(event) => swap(index - 1, event)}
            />
            <IconButton
              icon="down"
              label={t("choices.down", { name })}
              disabled={index === engines.length - 1}
              onClick={(event) => swap(index, event)}
            />
          </li>
        ))}
      </ol>
      {chosen[key] === undefined ? null : (
        <Button icon="undo" onClick={() => onChange({ of: "translation", key, value: null })}>
          {t("choices.reset")}
        </Button>
      )}
    </section>
  );
}

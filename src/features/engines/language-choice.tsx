import { Link } from "@tanstack/react-router";
import { useSelector } from "@xstate/react";
import { useTranslation } from "react-i18next";
import type { EnginesAnswer, SpeechLanguage, SpeechOption } from "#contract/index.ts";
import { selectUser } from "#machines/session/selectors.ts";
import { openSession } from "#src/features/session/actor.ts";
import { languageName } from "#src/i18n/format.ts";
import { SelectField } from "#src/ui/field.tsx";
import { targetsFor } from "./choosable-languages.ts";
import styles from "./language-choice.module.css";

/** The choice for the next recording or file. */
export interface LanguageChoiceValue {
  sourceLanguage: SpeechLanguage;
  /** A target language code, or null for no translation. */
  targetLanguage: string | null;
  /** The browser's own recogniser hears it: for dictation alone. */
  heardBy?: "browser" | undefined;
}

/** Languages that the browser's own recogniser hears, under a label that says where. */
export interface BrowserGroup {
  label: string;
  codes: readonly SpeechLanguage[];
}

interface LanguageChoiceProps {
  engines: EnginesAnswer;
  value: LanguageChoiceValue;
  /** For files alone: with the languages that the engine translates into while it hears. */
  forFiles?: boolean;
  /** For dictation. */
  browser?: readonly BrowserGroup[];
  onChange(value: LanguageChoiceValue): void;
}

const listed = (names: string[], language: string): string => new Intl.ListFormat(language).format(names);

/**
 * Selects the source and target languages. Languages that no engine supports are listed, but disabled,
 * with the reason below it.
 */
export function LanguageChoice({ engines, value, forFiles = false, browser = [], onChange }: LanguageChoiceProps) {
  const { t, i18n } = useTranslation("app");
  const nameOf = (option: SpeechOption) => {
    if (option.code !== "auto") return languageName(option.code, i18n.language);
    return option.resolvesTo
      ? t("languages.autoAs", { language: languageName(option.resolvesTo, i18n.language) })
      : t("languages.auto");
  };
  const missing = engines.speech.languages.filter(({ available }) => !available);
  const heardByBrowser = new Set(browser.flatMap(({ codes }) => codes));
  const targets = targetsFor(engines, value.sourceLanguage, forFiles);
  return (
    <div className={styles.choice}>
      <SelectField
        label={t("languages.spoken")}
        name="sourceLanguage"
        value={value.sourceLanguage}
        onChange={(event) => {
          const option = engines.speech.languages.find(({ code }) => code === event.target.value);
          if (!option) return;
          const stays = value.targetLanguage && targetsFor(engines, option.code, forFiles).includes(value.targetLanguage);
          onChange({
            sourceLanguage: option.code,
            targetLanguage: stays ? value.targetLanguage : null,
            ...(!option.available && { heardBy: "browser" }),
          });
        }}
      >
        {engines.speech.languages
          .filter(({ code }) => !heardByBrowser.has(code))
          .map((option) => (
            <option key={option.code} value={option.code} disabled={!option.available}>
              {option.available ? nameOf(option) : t("languages.notHere", { language: nameOf(option) })}
            </option>
          ))}
        {browser.map(({ label, codes }) => (
          <optgroup key={label} label={label}>
            {codes.map((code) => (
              <option key={code} value={code}>
                {languageName(code, i18n.language)}
              </option>
            ))}
          </optgroup>
        ))}
      </SelectField>
      <SelectField
        label={t("languages.translateTo")}
        name="targetLanguage"
        value={value.targetLanguage ?? ""}
        disabled={targets.length === 0}
        onChange={(event) => onChange({ ...value, targetLanguage: event.target.value || null })}
      >
        <option value="">{t(targets.length === 0 ? "languages.noTargets" : "languages.noTranslation")}</option>
        {targets.map((code) => (
          <option key={code} value={code}>
            {languageName(code, i18n.language)}
          </option>
        ))}
      </SelectField>
      {missing.length > 0 ? (
        <details className={styles.why}>
          <summary>{t("languages.why", { count: missing.length })}</summary>
          <ul>
            {[...Map.groupBy(missing, ({ reason }) => reason ?? "noEngine")].map(([reason, options]) => (
              <li key={reason}>
                <strong>{listed(options.map(nameOf), i18n.language)}</strong>: {t(`languages.reason.${reason}`)}
              </li>
            ))}
          </ul>
          <MoreLanguages />
        </details>
      ) : null}
    </div>
  );
}

/** Where models for more languages are installed, or who can do that. */
function MoreLanguages() {
  const { t } = useTranslation("app");
  const isSuperuser = useSelector(openSession(), (snapshot) => selectUser(snapshot)?.isSuperUser === true);
  if (!isSuperuser) return <p>{t("languages.askAdmin")}</p>;
  return (
    <p>
      <Link to="/admin/models">{t("languages.install")}</Link>
    </p>
  );
}

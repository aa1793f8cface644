import { Link } from "@tanstack/react-router";
import { useSelector } from "@xstate/react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { EnginesAnswer, SpeechLanguage, SpeechOption } from "#contract/index.ts";
import { selectIsSuperuser } from "#machines/session/selectors.ts";
import { openSession } from "#src/features/session/actor.ts";
import { languageName } from "#src/i18n/format.ts";
import { ChoiceField, SelectField } from "#src/ui/field.tsx";
import { offeredLanguages, recognizedLanguage, targetsFor } from "./choosable-languages.ts";
import styles from "./language-choice.module.css";

/** The languages for the next recording or file. */
export interface LanguageChoiceValue {
  sourceLanguage: SpeechLanguage;
  /** A target language code, or null for no translation. */
  targetLanguage: string | null;
  /** "browser": the browser's own recognizer transcribes the language. For dictation only. */
  heardBy?: "browser" | undefined;
}

/** Languages that the browser's own recognizer transcribes. The label says where it runs. */
interface BrowserGroup {
  label: string;
  codes: readonly SpeechLanguage[];
}

interface LanguageChoiceProps {
  engines: EnginesAnswer;
  value: LanguageChoiceValue;
  /** For files only: also offers the languages into which the speech engine itself translates. */
  forFiles?: boolean;
  /** For dictation only. */
  browser?: readonly BrowserGroup[];
  /** For recognition on this device: the languages into which it translates, and the text shown when there are none. */
  onDevice?: { targets: readonly string[]; none: string } | undefined;
  /** Further chips of the page, beside the languages. */
  children?: ReactNode;
  onChange(value: LanguageChoiceValue): void;
}

const listed = (names: string[], language: string): string => new Intl.ListFormat(language).format(names);

/** Whether no engine knows the language, not even a broken one. */
const needsModel = ({ available, reason = "noEngine" }: SpeechOption): boolean => !available && reason === "noEngine";

const reasonOf = ({ reason }: SpeechOption) => (reason === "engineBroken" ? reason : "engineMissing");

/**
 * The source and target languages as chips. Superusers also see disabled languages that a model would add. Text below
 * the chips tells where to install the model, or, on request, what is wrong with an engine.
 */
export function LanguageChoice({
  engines,
  value,
  forFiles = false,
  browser = [],
  onDevice,
  children,
  onChange,
}: LanguageChoiceProps) {
  const { t, i18n } = useTranslation("app");
  const nameOf = ({ code }: SpeechOption) => (code === "auto" ? t("languages.auto") : languageName(code, i18n.language));
  const recognizedByBrowser = new Set(browser.flatMap(({ codes }) => codes));
  const isSuperuser = useSelector(openSession(), selectIsSuperuser);
  const offered = offeredLanguages(engines).filter((option) => isSuperuser || !needsModel(option));
  const targetsOf = (code: SpeechLanguage) => onDevice?.targets ?? targetsFor(engines, code, forFiles);
  const targets = targetsOf(value.sourceLanguage);
  const none = targets.length > 0 ? t("languages.noTranslation") : (onDevice?.none ?? t("languages.noTargets"));
  return (
    <div className={`row top ${styles.choice}`}>
      <SelectField
        chip
        label={t("languages.spoken")}
        name="sourceLanguage"
        value={recognizedLanguage(engines, value.sourceLanguage)}
        onChange={(event) => {
          const option = engines.speech.languages.find(({ code }) => code === event.target.value);
          if (!option) return;
          const stays = value.targetLanguage && targetsOf(option.code).includes(value.targetLanguage);
          onChange({
            sourceLanguage: option.code,
            targetLanguage: stays ? value.targetLanguage : null,
            ...(!option.available && { heardBy: "browser" }),
          });
        }}
      >
        {offered
          .filter(({ code }) => !recognizedByBrowser.has(code))
          .map((option) => (
            <option key={option.code} value={option.code} disabled={!option.available}>
              {option.available
                ? nameOf(option)
                : t(needsModel(option) ? "languages.needsModel" : "languages.notHere", { language: nameOf(option) })}
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
      <ChoiceField
        chip
        label={t("languages.translateTo")}
        name="targetLanguage"
        value={onDevice === undefined || targets.includes(value.targetLanguage ?? "") ? (value.targetLanguage ?? "") : ""}
        disabled={targets.length === 0}
        values={["", ...targets]}
        textOf={(code) => (code === "" ? none : languageName(code, i18n.language))}
        onChoose={(code) => onChange({ ...value, targetLanguage: code || null })}
      />
      {children}
      <Lacking options={offered.filter(({ available }) => !available)} nameOf={nameOf} />
    </div>
  );
}

/** Explains why languages are not available. Renders nothing when all are. */
function Lacking({ options, nameOf }: { options: readonly SpeechOption[]; nameOf(option: SpeechOption): string }) {
  const { t, i18n } = useTranslation("app");
  if (options.length === 0) return null;
  const faulty = options.filter((option) => !needsModel(option));
  return (
    <details className={styles.why}>
      <summary>{t("languages.why", { count: options.length })}</summary>
      {options.some(needsModel) ? (
        <p>
          {t("languages.othersNeedModel")}{" "}
          <Link to="/admin/models" hash="other-languages">
            {t("languages.install")}
          </Link>
        </p>
      ) : null}
      <ul>
        {[...Map.groupBy(faulty, reasonOf)].map(([reason, some]) => (
          <li key={reason}>
            <strong>{listed(some.map(nameOf), i18n.language)}</strong>: {t(`languages.reason.${reason}`)}
          </li>
        ))}
      </ul>
    </details>
  );
}

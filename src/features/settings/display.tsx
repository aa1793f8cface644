import { useSelector } from "@xstate/react";
import { useSyncExternalStore } from "react";
import { useTranslation } from "react-i18next";
import { interfaceLanguages } from "#contract/first-visit/interface-languages.ts";
import { selectData, selectIsLoading } from "#machines/query.ts";
import { canTranscribe } from "#src/api/engines.ts";
import { LanguageChoice } from "#src/features/engines/language-choice.tsx";
import { themeChoice, themes } from "#src/features/shell/theme-choice.ts";
import { ChoiceCard, ChoiceCards } from "#src/ui/choice-cards.tsx";
import { SelectField } from "#src/ui/field.tsx";
import type { Settings } from "./actor.ts";
import { Card, LoadFailure, Outcome, useIsBusy } from "./part.tsx";
import styles from "./settings.module.css";

/** Theme and default languages. */
export function Display({ settings }: { settings: Settings }) {
  return (
    <>
      <Language settings={settings} />
      <ThemeChoice />
      <Defaults settings={settings} />
    </>
  );
}

function Language({ settings: { language } }: { settings: Settings }) {
  const { t, i18n } = useTranslation("settings");
  return (
    <Card id="language" title={t("language.title")}>
      <div className={styles.form}>
        <SelectField
          label={t("language.label")}
          hint={t("language.hint")}
          value={i18n.resolvedLanguage ?? "en"}
          aria-busy={useIsBusy(language) || undefined}
          onChange={(event) => language.choose(event.target.value)}
        >
          {interfaceLanguages.map(({ code, name }) => (
            <option key={code} value={code} lang={code}>
              {name}
            </option>
          ))}
        </SelectField>
        <Outcome part={language} />
      </div>
    </Card>
  );
}

function ThemeChoice() {
  const { t } = useTranslation("settings");
  const chosen = useSyncExternalStore(themeChoice.subscribe, themeChoice.get);
  return (
    <Card id="theme" title={t("theme.title")}>
      <ChoiceCards legend={t("theme.title")} legendClass="visuallyHidden">
        {themes.map((theme) => (
          <ChoiceCard key={theme} name="theme" value={theme} checked={theme === chosen} onChange={() => themeChoice.set(theme)}>
            {t(`theme.${theme}`)}
          </ChoiceCard>
        ))}
      </ChoiceCards>
      <p className={styles.soft}>{t("theme.hint")}</p>
    </Card>
  );
}

function Defaults({ settings: { defaults } }: { settings: Settings }) {
  const { t } = useTranslation("settings");
  const known = useSelector(defaults.list, selectData);
  const loading = useSelector(defaults.list, selectIsLoading);
  if (known !== null && !canTranscribe(known.engines)) return null;
  return (
    <Card id="defaults" title={t("defaults.title")}>
      <p className={styles.soft}>{t("defaults.text")}</p>
      {known === null ? null : (
        <LanguageChoice engines={known.engines} value={known.chosen} onChange={(chosen) => defaults.choose(chosen)} />
      )}
      {known === null && loading ? <p role="status">{t("loading")}</p> : null}
      <LoadFailure query={defaults.list} text={t("defaults.failed")} />
    </Card>
  );
}

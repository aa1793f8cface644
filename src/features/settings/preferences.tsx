import { useSyncExternalStore } from "react";
import { useTranslation } from "react-i18next";
import { interfaceLanguages } from "#contract/interface-languages.ts";
import { themeChoice, themes } from "#src/features/shell/theme-choice.ts";
import { perform } from "#src/features/shortcuts/actor.ts";
import { SingleKeysChoice } from "#src/features/shortcuts/single-keys-choice.tsx";
import { Button } from "#src/ui/button.tsx";
import { ChoiceCard, ChoiceCards } from "#src/ui/choice-cards.tsx";
import { SelectField } from "#src/ui/field.tsx";
import { Card, Outcome, useIsBusy } from "./part.tsx";
import { SectionView } from "./section-view.tsx";
import styles from "./settings.module.css";
import type { PreferencesState } from "./states.ts";

/** Settings for the look of the page. */
export function Preferences(state: PreferencesState) {
  return (
    <SectionView name="preferences">
      <Language {...state} />
      <ThemeChoice />
      <Keyboard />
    </SectionView>
  );
}

function Language({ language }: PreferencesState) {
  const { t, i18n } = useTranslation("settings");
  return (
    <Card id="language" title={t("language.title")}>
      <div className={`stack starts fill ${styles.form}`}>
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
      <p className="note">{t("theme.hint")}</p>
    </Card>
  );
}

function Keyboard() {
  const { t } = useTranslation("shortcuts");
  return (
    <Card id="keyboard" title={t("settings.title")}>
      <SingleKeysChoice />
      <p className="note">{t("settings.hint")}</p>
      <div className="row">
        <Button icon="keyboard" onClick={() => perform("help")}>
          {t("settings.show")}
        </Button>
      </div>
    </Card>
  );
}

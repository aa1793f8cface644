import { useSyncExternalStore } from "react";
import { useTranslation } from "react-i18next";
import styles from "#src/ui/segmented.module.css";
import { transcriptPreferences } from "./preferences.ts";

const views = ["original", "both", "translation"] as const;

/** Switches between transcript, translation, and both. */
export function ViewSwitch() {
  const { t } = useTranslation("app");
  const { view } = useSyncExternalStore(transcriptPreferences.subscribe, transcriptPreferences.get);
  return (
    <fieldset className={styles.segmented}>
      <legend className="visuallyHidden">{t("transcript.view.label")}</legend>
      {views.map((value) => (
        <label key={value}>
          <input
            type="radio"
            name="view"
            value={value}
            checked={view === value}
            onChange={() => transcriptPreferences.choose({ view: value })}
          />
          <span>{t(`transcript.view.${value}`)}</span>
        </label>
      ))}
    </fieldset>
  );
}

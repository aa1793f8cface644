import { useSyncExternalStore } from "react";
import { useTranslation } from "react-i18next";
import { buttonClass } from "#src/ui/button.tsx";
import { SelectField } from "#src/ui/field.tsx";
import { Icon } from "#src/ui/icon.tsx";
import { microphones } from "./microphones.ts";
import styles from "./stage.module.css";

/** Selects the microphone, behind an icon. Hidden with only one, or before the browser lists them. */
export function MicrophoneChoice() {
  const { t } = useTranslation("app");
  const devices = useSyncExternalStore(microphones.subscribe, microphones.get);
  const chosen = useSyncExternalStore(microphones.subscribe, microphones.chosen);
  const isThere = devices.some(({ id }) => id === chosen);
  if (devices.length < 2 && (chosen === undefined || isThere || devices.length === 0)) return null;
  const isGone = chosen !== undefined && !isThere;
  return (
    <details className={styles.device} open={isGone || undefined}>
      <summary className={buttonClass("quiet")} aria-label={t("speech.device")} title={t("speech.device")}>
        <Icon name="settings" />
      </summary>
      <div className={styles.sheet}>
        <SelectField
          label={t("speech.device")}
          name="microphone"
          value={chosen !== undefined && isThere ? chosen : ""}
          hint={isGone ? t("speech.deviceGone") : undefined}
          onChange={(event) => microphones.choose(event.target.value || undefined)}
        >
          <option value="">{t("speech.deviceDefault")}</option>
          {devices.map(({ id, label }, index) => (
            <option key={id} value={id}>
              {label || t("speech.deviceNumber", { number: index + 1 })}
            </option>
          ))}
        </SelectField>
      </div>
    </details>
  );
}

import { useSyncExternalStore } from "react";
import { useTranslation } from "react-i18next";
import { SelectField } from "#src/ui/field.tsx";
import { microphones } from "./microphones.ts";

/** Selects the microphone. Hidden with only one, or before the browser lists them. */
export function MicrophoneChoice() {
  const { t } = useTranslation("app");
  const devices = useSyncExternalStore(microphones.subscribe, microphones.get);
  const chosen = useSyncExternalStore(microphones.subscribe, microphones.chosen);
  const isThere = devices.some(({ id }) => id === chosen);
  if (devices.length < 2 && (chosen === undefined || isThere || devices.length === 0)) return null;
  return (
    <SelectField
      label={t("speech.device")}
      name="microphone"
      value={chosen !== undefined && isThere ? chosen : ""}
      hint={chosen === undefined || isThere ? undefined : t("speech.deviceGone")}
      onChange={(event) => microphones.choose(event.target.value || undefined)}
    >
      <option value="">{t("speech.deviceDefault")}</option>
      {devices.map(({ id, label }, index) => (
        <option key={id} value={id}>
          {label || t("speech.deviceNumber", { number: index + 1 })}
        </option>
      ))}
    </SelectField>
  );
}

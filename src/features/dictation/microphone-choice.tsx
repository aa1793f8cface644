import { useSyncExternalStore } from "react";
import { useTranslation } from "react-i18next";
import { Options, SelectField } from "#src/ui/field.tsx";
import { microphones } from "./microphones.ts";

function useMicrophones() {
  const devices = useSyncExternalStore(microphones.subscribe, microphones.get);
  const chosen = useSyncExternalStore(microphones.subscribe, microphones.chosen);
  const isGone = devices.length > 0 && chosen !== undefined && devices.every(({ id }) => id !== chosen);
  return { devices, chosen, isGone };
}

/** Whether the chosen microphone is not connected. */
export const useIsMicrophoneGone = () => useMicrophones().isGone;

/** Selects the microphone. Renders nothing with only one, or before the browser lists them. */
export function MicrophoneChoice() {
  const { t } = useTranslation("app");
  const { devices, chosen, isGone } = useMicrophones();
  if (devices.length < 2 && !isGone) return null;
  return (
    <SelectField
      chip
      label={t("speech.device")}
      name="microphone"
      value={isGone ? "" : (chosen ?? "")}
      hint={isGone ? t("speech.deviceGone") : undefined}
      onChange={(event) => microphones.choose(event.target.value || undefined)}
    >
      <option value="">{t("speech.deviceDefault")}</option>
      <Options of={devices.map(({ id, label }, index) => [id, label || t("speech.deviceNumber", { number: index + 1 })])} />
    </SelectField>
  );
}

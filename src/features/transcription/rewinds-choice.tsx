import { useSyncExternalStore } from "react";
import { useTranslation } from "react-i18next";
import { transcriptPreferences } from "./preferences.ts";

/** Whether a player that goes on after a pause repeats the last second. */
export function RewindsChoice() {
  const { t } = useTranslation("shortcuts");
  const { rewinds } = useSyncExternalStore(transcriptPreferences.subscribe, transcriptPreferences.get);
  return (
    <label className="check size-1">
      <input
        type="checkbox"
        checked={rewinds}
        onChange={({ target }) => transcriptPreferences.choose({ rewinds: target.checked })}
      />
      {t("rewinds")}
    </label>
  );
}

import { useSyncExternalStore } from "react";
import { useTranslation } from "react-i18next";
import { transcriptPreferences } from "./preferences.ts";

/** Chooses whether the player repeats the last second after a pause. */
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

import { useSyncExternalStore } from "react";
import { useTranslation } from "react-i18next";
import { singleKeys } from "./single-keys.ts";

/** Turns the keys without Alt or Ctrl on and off, in this browser. */
export function SingleKeysChoice() {
  const { t } = useTranslation("shortcuts");
  const isOn = useSyncExternalStore(singleKeys.subscribe, singleKeys.get);
  return (
    <label className="check size-1">
      <input type="checkbox" checked={isOn} onChange={({ target }) => singleKeys.set(target.checked)} />
      {t("singleKeys")}
    </label>
  );
}

import { useId, useSyncExternalStore } from "react";
import { useTranslation } from "react-i18next";
import { isAway, watchAway } from "#src/browser/network.ts";
import styles from "./offline-pill.module.css";

/** Shown in the bar of every page while the server is unreachable. @param meanwhile what works without it */
export function OfflinePill({ meanwhile }: { meanwhile: string }) {
  const { t } = useTranslation();
  const away = useSyncExternalStore(watchAway, isAway, () => false);
  const id = useId();
  if (!away) return null;
  return (
    <div className={styles.pill} role="status">
      <button type="button" title={meanwhile} popoverTarget={id}>
        {t("offline.name")}
      </button>
      <p id={id} popover="auto">
        {meanwhile}
      </p>
    </div>
  );
}

import { useTranslation } from "react-i18next";
import { DropZone } from "#src/ui/drop-zone.tsx";
import styles from "./dashboard-drop.module.css";
import { dropFiles } from "./dashboard-drop-actor.ts";

/** Transcribes files that are dropped anywhere on the dashboard. */
export function DashboardDrop() {
  const { t } = useTranslation("app");
  return (
    <DropZone label={t("uploads.drop")} className={styles.sheet} overClassName={styles.shown} anywhere onFiles={dropFiles}>
      <strong>{t("uploads.drop")}</strong>
    </DropZone>
  );
}

import { useNavigate } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { DropZone } from "#src/ui/drop-zone.tsx";
import styles from "./dashboard-drop.module.css";
import { handOver } from "./handed-over.ts";

/** Files that are dropped anywhere on the dashboard are transcribed with the languages chosen last, on the page that shows how far they are. */
export function DashboardDrop() {
  const { t } = useTranslation("app");
  const navigate = useNavigate();
  return (
    <DropZone
      label={t("uploads.drop")}
      className={styles.sheet}
      overClassName={styles.shown}
      anywhere
      onFiles={(files) => {
        handOver(files);
        void navigate({ to: "/speech-to-text" });
      }}
    >
      <strong>{t("uploads.drop")}</strong>
    </DropZone>
  );
}

import { useNavigate } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { DropZone } from "#src/ui/drop-zone.tsx";
import styles from "./dashboard-drop.module.css";
import { handOver } from "./handed-over.ts";

/**
 * Files that are dropped anywhere on the dashboard are transcribed there with the languages chosen last. Where that can't be, the page that
 * has a place for files says why.
 */
export function DashboardDrop() {
  const { t } = useTranslation("app");
  const navigate = useNavigate();
  const begin = async (files: readonly File[]) => {
    const { addDropped } = await import("./add-dropped.ts");
    if (await addDropped(files)) return;
    handOver(files);
    await navigate({ to: "/speech-to-text" });
  };
  return (
    <DropZone
      label={t("uploads.drop")}
      className={styles.sheet}
      overClassName={styles.shown}
      anywhere
      onFiles={(files) => void begin(files)}
    >
      <strong>{t("uploads.drop")}</strong>
    </DropZone>
  );
}

import { useTranslation } from "react-i18next";
import { DropZone } from "#src/ui/drop-zone.tsx";
import { FileButton } from "#src/ui/file-button.tsx";
import styles from "./vault.module.css";

const accept = "audio/*,video/*,.wav,.mp3,.m4a,.ogg,.oga,.opus,.webm,.flac,.mp4";

/** A drop zone with a button for keyboard users. */
export function Files({ onFiles }: { onFiles(files: File[]): void }) {
  const { t } = useTranslation("vault");
  return (
    <DropZone label={t("files.title")} className={styles.drop} onFiles={onFiles}>
      <strong>{t("files.title")}</strong>
      <p className={styles.fine}>{t("files.text")}</p>
      <FileButton label={t("files.choose")} accept={accept} multiple onFiles={onFiles} />
    </DropZone>
  );
}

import { useTranslation } from "react-i18next";
import { UpgradeLink } from "#src/features/subscription/upgrade-link.tsx";
import { useIsAtLimit } from "#src/features/subscription/usage-meter.tsx";
import { bytes } from "#src/i18n/format.ts";
import { DropZone as Zone } from "#src/ui/drop-zone.tsx";
import { FileButton } from "#src/ui/file-button.tsx";
import styles from "./speech-to-text.module.css";

/** Types for the file chooser. The server checks the content, whatever the name. */
export const acceptedFiles = "audio/*,video/*,.wav,.mp3,.m4a,.ogg,.oga,.opus,.webm,.flac,.mp4";

interface DropZoneProps {
  maxBytes: number;
  onFiles(files: File[]): void;
}

/** A drop zone with a button for keyboard users. */
export function DropZone({ maxBytes, onFiles }: DropZoneProps) {
  const { t, i18n } = useTranslation("app");
  const atLimit = useIsAtLimit();
  const take = (files: File[]) => {
    if (!atLimit) onFiles(files);
  };
  return (
    <Zone label={t("uploads.drop")} className={styles.drop} testId="drop-zone" anywhere onFiles={take}>
      <strong>{t("uploads.drop")}</strong>
      <p className="fine digits">{t("uploads.formats", { size: bytes(maxBytes, i18n.language) })}</p>
      {atLimit ? <p className={`wrong size-1 ${styles.problem}`}>{t("usage.reached")}</p> : null}
      {atLimit ? (
        <UpgradeLink code="limitReached" look="secondary" />
      ) : (
        <FileButton label={t("uploads.choose")} accept={acceptedFiles} multiple onFiles={onFiles} />
      )}
    </Zone>
  );
}

import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import styles from "#src/features/dictation/speech.module.css";
import { UpgradeLink } from "#src/features/subscription/upgrade-link.tsx";
import { useIsAtLimit } from "#src/features/subscription/usage-meter.tsx";
import { bytes } from "#src/i18n/format.ts";
import { Button } from "#src/ui/button.tsx";

/** What the file chooser offers; the server looks at the content, whatever the name says. */
const accept = "audio/*,video/*,.wav,.mp3,.m4a,.ogg,.oga,.opus,.webm,.flac,.mp4";

interface DropZoneProps {
  maxBytes: number;
  onFiles(files: File[]): void;
}

/** Where files are dropped, or chosen with a button that the keyboard reaches. */
export function DropZone({ maxBytes, onFiles }: DropZoneProps) {
  const { t, i18n } = useTranslation("app");
  const input = useRef<HTMLInputElement>(null);
  const [over, setOver] = useState(false);
  const atLimit = useIsAtLimit();
  return (
    <section
      aria-label={t("uploads.drop")}
      className={`${styles.drop} ${over ? styles.over : ""}`}
      data-testid="drop-zone"
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={(event) => {
        // Going on to what stands inside of it is not leaving.
        if (!(event.relatedTarget instanceof Node && event.currentTarget.contains(event.relatedTarget))) setOver(false);
      }}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        if (!atLimit) onFiles([...event.dataTransfer.files]);
      }}
    >
      <strong>{t("uploads.drop")}</strong>
      <p className={styles.fine}>{t("uploads.formats", { size: bytes(maxBytes, i18n.language) })}</p>
      {atLimit ? <p className={styles.problem}>{t("usage.reached")}</p> : null}
      {atLimit ? (
        <UpgradeLink code="limitReached" look="secondary" />
      ) : (
        <Button icon="upload" onClick={() => input.current?.click()}>
          {t("uploads.choose")}
        </Button>
      )}
      <input
        ref={input}
        type="file"
        hidden
        multiple
        accept={accept}
        aria-label={t("uploads.choose")}
        onChange={(event) => {
          onFiles([...(event.target.files ?? [])]);
          event.target.value = "";
        }}
      />
    </section>
  );
}

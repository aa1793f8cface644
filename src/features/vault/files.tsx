import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "#src/ui/button.tsx";
import styles from "./vault.module.css";

const accept = "audio/*,video/*,.wav,.mp3,.m4a,.ogg,.oga,.opus,.webm,.flac,.mp4";

/** Where files are dropped, or chosen with a button that the keyboard reaches. */
export function Files({ onFiles }: { onFiles(files: File[]): void }) {
  const { t } = useTranslation("vault");
  const input = useRef<HTMLInputElement>(null);
  const [over, setOver] = useState(false);
  return (
    <section
      aria-label={t("files.title")}
      className={`${styles.drop} ${over ? styles.over : ""}`}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={(event) => {
        if (!(event.relatedTarget instanceof Node && event.currentTarget.contains(event.relatedTarget))) setOver(false);
      }}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        onFiles([...event.dataTransfer.files]);
      }}
    >
      <strong>{t("files.title")}</strong>
      <p className={styles.fine}>{t("files.text")}</p>
      <Button icon="upload" onClick={() => input.current?.click()}>
        {t("files.choose")}
      </Button>
      <input
        ref={input}
        type="file"
        hidden
        multiple
        accept={accept}
        aria-label={t("files.choose")}
        onChange={(event) => {
          onFiles([...(event.target.files ?? [])]);
          event.target.value = "";
        }}
      />
    </section>
  );
}

import { useRef } from "react";
import { useTranslation } from "react-i18next";
import type { UploadFile } from "#machines/uploads/events.ts";
import { bytes } from "#src/i18n/format.ts";
import { IconButton } from "#src/ui/button.tsx";
import styles from "./files.module.css";

interface ChosenProps {
  files: readonly UploadFile[];
  onRemove(id: string): void;
}

/** The files to be uploaded. The first one takes the place of the words that there is none: nothing below moves. */
export function Chosen({ files, onRemove }: ChosenProps) {
  const { t, i18n } = useTranslation("uploads");
  const list = useRef<HTMLUListElement>(null);
  return (
    <>
      <p role="status" className="visuallyHidden">
        {files.length === 0 ? "" : t("config.chosen", { count: files.length })}
      </p>
      {files.length === 0 ? (
        <p className={styles.noneChosen}>{t("config.noneChosen")}</p>
      ) : (
        <ul ref={list} tabIndex={-1} className={styles.chosen} aria-label={t("config.chosenLabel")} data-testid="chosen">
          {files.map(({ id, name, size }) => (
            <li key={id}>
              <bdi>{name}</bdi>
              <span className="fine digits">{bytes(size, i18n.language)}</span>
              <IconButton
                icon="close"
                label={t("config.remove", { name })}
                onClick={() => {
                  list.current?.focus();
                  onRemove(id);
                }}
              />
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

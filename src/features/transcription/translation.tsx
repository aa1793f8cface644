import { useRef } from "react";
import { useTranslation } from "react-i18next";
import type { Segment } from "#contract/index.ts";
import type { Hit } from "#machines/transcription/find/rules.ts";
import { EditButton } from "./edit-button.tsx";
import { Editor } from "./editor.tsx";
import styles from "./segment.module.css";
import { FoundText } from "./words.tsx";

interface TranslationProps {
  segment: Segment;
  time: string;
  /** The language code. */
  target: string;
  editable: boolean;
  /** The editor's value; undefined while it is closed. */
  typed: string | undefined;
  hits: readonly Hit[];
  current: Hit | undefined;
  /** null closes the field. */
  onType(text: string | null): void;
  onSave(text: string): void;
}

/** A segment's translation, or its editor. */
export function Translation({ segment, time, target, editable, typed, hits, current, onType, onSave }: TranslationProps) {
  const { t } = useTranslation("app");
  const began = useRef(false);
  const text = segment.translation ?? "";
  if (typed !== undefined && editable) {
    return (
      <div className={styles.translation} lang={target}>
        <Editor
          text={typed}
          label={t("transcript.translationLabel", { time })}
          focus={began.current}
          onType={onType}
          onCancel={() => onType(null)}
          onSave={onSave}
        />
      </div>
    );
  }
  return (
    <div className={styles.translation}>
      <p lang={target} dir="auto">
        <FoundText text={text} hits={hits} current={current} />
      </p>
      {editable ? (
        <EditButton
          began={began}
          className={styles.editTranslation}
          label={t("transcript.editTranslation", { time })}
          onEdit={() => onType(text)}
        />
      ) : null}
    </div>
  );
}

import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import type { TranscriptionSummary } from "#contract/index.ts";
import { Button } from "#src/ui/button.tsx";
import { focusHeading } from "#src/ui/focus.ts";
import { Notice } from "#src/ui/notice.tsx";
import { problemKeys } from "./problem.ts";
import styles from "./unreadable-notice.module.css";

/** A file without recognizable audio. */
export interface UnreadableFile {
  id: string;
  name: string;
  /** The contract's error code, or `unreadable`. */
  code: string;
  /** null: the server has no transcription of the file. */
  transcription: TranscriptionSummary | null;
}

interface UnreadableNoticeProps {
  files: readonly UnreadableFile[];
  onDismiss(): void;
}

/** Unreadable files in one notice, grouped by reason, with the possible actions. */
export function UnreadableNotice({ files, onDismiss }: UnreadableNoticeProps) {
  const { t } = useTranslation("app");
  if (files.length === 0) return null;
  const reasonOf = ({ code, transcription }: UnreadableFile) => t(problemKeys(code, "failed", transcription?.origin));
  return (
    <Notice
      tone="warning"
      actions={
        <Button
          onClick={() => {
            // The notice disappears with this button.
            focusHeading();
            onDismiss();
          }}
        >
          {t("history.dismiss")}
        </Button>
      }
    >
      <strong>{t("history.unreadable", { count: files.length })}</strong>
      <ul
        className={`stack gap-2 ${styles.reasons}`}
        aria-label={t("history.unreadable", { count: files.length })}
        data-testid="unreadable"
      >
        {[...Map.groupBy(files, reasonOf)].map(([reason, some]) => (
          <li key={reason}>
            <ul className={styles.names}>
              {some.map((file) => (
                <li key={file.id}>
                  <Name file={file} />
                </li>
              ))}
            </ul>
            <p>{reason}</p>
          </li>
        ))}
      </ul>
    </Notice>
  );
}

/** The file's name, with a link if the server has a transcription of it. */
function Name({ file: { name, transcription } }: { file: UnreadableFile }) {
  if (transcription === null) return <bdi>{name}</bdi>;
  return (
    <Link to="/transcription/$id" params={{ id: transcription.id }}>
      <bdi>{name}</bdi>
    </Link>
  );
}

import { useTranslation } from "react-i18next";
import type { TranscriptionStatus } from "#contract/index.ts";
import styles from "./status.module.css";

/** A transcription's status as a coloured label. */
export function Status({ status }: { status: TranscriptionStatus }) {
  const { t } = useTranslation("app");
  return <span className={`${styles.status} ${styles[status]}`}>{t(`status.${status}`)}</span>;
}

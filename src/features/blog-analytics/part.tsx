import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import styles from "./blog-analytics.module.css";

interface PartProps {
  id: string;
  title: string;
  /** What the numbers mean. */
  note?: string;
  isSample: boolean;
  actions?: ReactNode;
  children: ReactNode;
}

/** A part of the page; each one says itself that its numbers are made up. */
export function Part({ id, title, note, isSample, actions, children }: PartProps) {
  const { t } = useTranslation("blog-analytics");
  return (
    <section className={styles.part} aria-labelledby={id}>
      <header className={styles.header}>
        <div className={styles.heading}>
          <h2 id={id}>
            {title}
            {isSample ? <span className={styles.badge}>{t("sample.badge")}</span> : null}
          </h2>
          {note ? <p className={styles.soft}>{note}</p> : null}
        </div>
        {actions ? <div className={styles.actions}>{actions}</div> : null}
      </header>
      {children}
    </section>
  );
}

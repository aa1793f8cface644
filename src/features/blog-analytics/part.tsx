import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Badge } from "#src/ui/badge.tsx";
import styles from "./blog-analytics.module.css";

interface PartProps {
  id: string;
  title: string;
  /** Explains the numbers. */
  note?: string;
  isSample: boolean;
  actions?: ReactNode;
  children: ReactNode;
}

/** A section of the page. It says so when its data is a sample. */
export function Part({ id, title, note, isSample, actions, children }: PartProps) {
  const { t } = useTranslation("blog-analytics");
  return (
    <section className={`stack compact gap-4 ${styles.part}`} aria-labelledby={id}>
      <header className={styles.header}>
        <div className={`stack gap-1 ${styles.heading}`}>
          <h2 id={id} className="row">
            {title}
            {isSample ? <Badge tone="danger">{t("sample.badge")}</Badge> : null}
          </h2>
          {note ? <p className="measure note">{note}</p> : null}
        </div>
        {actions ? <div className="row">{actions}</div> : null}
      </header>
      {children}
    </section>
  );
}

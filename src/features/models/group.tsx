import type { ReactNode } from "react";
import styles from "./models.module.css";

/** A part of the page: its heading and what it is for, beside what it holds. */
export function Group({ id, title, lead, children }: { id: string; title: string; lead: string; children: ReactNode }) {
  return (
    <section className={styles.group} aria-labelledby={id}>
      <header className={styles.groupHead}>
        <h2 id={id} tabIndex={-1}>
          {title}
        </h2>
        <p className={styles.soft}>{lead}</p>
      </header>
      <div className={styles.groupBody}>{children}</div>
    </section>
  );
}

import type { ReactNode } from "react";
import styles from "./models.module.css";

/** A part of the page: its heading and purpose beside its content. */
export function Group({ id, title, lead, children }: { id: string; title: string; lead: string; children: ReactNode }) {
  return (
    <section className={styles.group} aria-labelledby={id}>
      <header className="stack compact gap-2">
        <h2 className="size-4" id={id} tabIndex={-1}>
          {title}
        </h2>
        <p className="note">{lead}</p>
      </header>
      <div className="stack compact gap-4">{children}</div>
    </section>
  );
}

import type { ReactNode } from "react";
import { claimOwedFocus } from "./focus.ts";
import styles from "./page.module.css";

/** A page's layout. The heading takes the focus after a navigation, so that screen readers announce the page. */
export function Page({
  title,
  lead,
  actions,
  tabs,
  className = "",
  children,
}: {
  title: string;
  lead?: string;
  actions?: ReactNode;
  /** Links to the pages that share this header. They stay with it at the top of the window. */
  tabs?: ReactNode;
  className?: string | undefined;
  children: ReactNode;
}) {
  const header = (
    <header className={`row apart bottom gap-4 ${styles.header}`}>
      <div>
        <h1 ref={claimOwedFocus} tabIndex={-1}>
          {title}
        </h1>
        {lead ? <p className={`soft size-2 ${styles.lead}`}>{lead}</p> : null}
      </div>
      {actions}
    </header>
  );
  return (
    <div className={`${styles.page} ${className}`}>
      {tabs === undefined ? (
        header
      ) : (
        <div className={styles.top}>
          {header}
          {tabs}
        </div>
      )}
      {children}
    </div>
  );
}

/** The introduction and the buttons of a page below a shared header. */
export function PageIntro({ lead, children }: { lead: string; children?: ReactNode }) {
  return (
    <div className={`row apart ${styles.intro}`}>
      <p className={`soft size-2 ${styles.lead}`}>{lead}</p>
      {children}
    </div>
  );
}

import type { ReactNode } from "react";
import { claimOwedFocus } from "./focus.ts";
import styles from "./page.module.css";

/** A page's frame: its heading takes the focus after a navigation, so that screen readers announce the page. */
export function Page({
  title,
  lead,
  actions,
  className = "",
  children,
}: {
  title: string;
  lead?: string;
  actions?: ReactNode;
  className?: string | undefined;
  children: ReactNode;
}) {
  return (
    <div className={`${styles.page} ${className}`}>
      <header className={styles.header}>
        <div>
          <h1 ref={claimOwedFocus} tabIndex={-1}>
            {title}
          </h1>
          {lead ? <p className={styles.lead}>{lead}</p> : null}
        </div>
        {actions}
      </header>
      {children}
    </div>
  );
}

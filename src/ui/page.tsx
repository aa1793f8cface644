import type { ReactNode } from "react";
import { claimFocus, claimOwedFocus } from "./focus.ts";
import styles from "./page.module.css";

/** A page's frame: its heading takes the focus after a navigation, so that screen readers announce the page. */
export function Page({
  title,
  lead,
  actions,
  children,
}: {
  title: string;
  lead?: string;
  actions?: ReactNode;
  children: ReactNode;
}) {
  return (
    <div className={styles.page}>
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

/** The loading screen, with a message. */
export function LoadingScreen({ message }: { message: string }) {
  return (
    <div className={styles.screen} role="status">
      <span className={styles.breath} aria-hidden="true">
        <i />
        <i />
        <i />
      </span>
      <p>{message}</p>
    </div>
  );
}

/** A screen with one message and one action. */
export function MessageScreen({ title, text, action }: { title: string; text: string; action?: ReactNode }) {
  return (
    <div className={styles.screen}>
      <h1 ref={claimFocus} tabIndex={-1}>
        {title}
      </h1>
      <p>{text}</p>
      {action ? <div className={styles.actions}>{action}</div> : null}
    </div>
  );
}

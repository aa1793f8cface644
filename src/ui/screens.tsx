import type { ReactNode } from "react";
import { claimFocus } from "./claim-focus.ts";
import styles from "./screens.module.css";

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
      {action ? <div className="row centred">{action}</div> : null}
    </div>
  );
}

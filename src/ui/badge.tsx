import type { ReactNode } from "react";
import styles from "./badge.module.css";

/** What a badge says is good, a fault, or worth a look; without one it is a fact. */
export type BadgeTone = "good" | "danger" | "accent";

/** A word or two about an entry of a list. */
export function Badge({ tone, children }: { tone?: BadgeTone | undefined; children: ReactNode }) {
  return (
    <span className={styles.badge} data-tone={tone}>
      {children}
    </span>
  );
}

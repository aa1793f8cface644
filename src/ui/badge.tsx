import type { ReactNode } from "react";
import styles from "./badge.module.css";

/** The meaning of a badge: good, a fault, or worth attention. Without a tone it is a neutral fact. */
export type BadgeTone = "good" | "danger" | "accent";

/** One or two words about a list's entry. */
export function Badge({ tone, children }: { tone?: BadgeTone | undefined; children: ReactNode }) {
  return (
    <span className={styles.badge} data-tone={tone}>
      {children}
    </span>
  );
}

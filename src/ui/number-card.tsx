import type { ReactNode } from "react";
import styles from "./number-card.module.css";

interface NumberCardProps {
  label: string;
  /** Written large; absent where the children say it in another way. */
  value?: ReactNode;
  /** `<dd>` elements. */
  children?: ReactNode;
}

/** A figure in a frame of its own, within a `<dl>`. */
export function NumberCard({ label, value, children }: NumberCardProps) {
  return (
    <div className={styles.card}>
      <dt>{label}</dt>
      {value === undefined ? null : <dd className={styles.value}>{value}</dd>}
      {children}
    </div>
  );
}

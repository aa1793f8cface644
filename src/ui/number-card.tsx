import type { ReactNode } from "react";
import styles from "./number-card.module.css";

interface NumberCardProps {
  label: string;
  /** Shown large; absent when the children show it otherwise. */
  value?: ReactNode;
  /** `<dd>` elements. */
  children?: ReactNode;
}

/** A figure in a frame, within a `<dl>`. */
export function NumberCard({ label, value, children }: NumberCardProps) {
  return (
    <div className={`card stack compact gap-1 ${styles.card}`}>
      <dt>{label}</dt>
      {value === undefined ? null : <dd className={`size-4 reading ${styles.value}`}>{value}</dd>}
      {children}
    </div>
  );
}

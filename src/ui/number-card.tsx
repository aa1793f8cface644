import type { ReactNode } from "react";
import styles from "./number-card.module.css";

interface NumberCardProps {
  label: string;
  /** Shown large. Absent if the children show it in another way. */
  value?: ReactNode;
  /** `<dd>` elements. */
  children?: ReactNode;
}

/** A number in a frame, within a `<dl>`. */
export function NumberCard({ label, value, children }: NumberCardProps) {
  return (
    <div className={`card stack compact gap-1 ${styles.card}`}>
      <dt>{label}</dt>
      {value === undefined ? null : <dd className={`size-4 reading ${styles.value}`}>{value}</dd>}
      {children}
    </div>
  );
}

import styles from "./progress.module.css";

/** How far something is: `fraction` from 0 to 1, or undefined while nobody knows. */
export function Progress({ label, fraction }: { label: string; fraction?: number | undefined }) {
  const known = fraction !== undefined;
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={known ? Math.round(fraction * 100) : undefined}
      className={`${styles.progress} ${known ? "" : styles.unknown}`}
    >
      <span className={styles.bar} style={known ? { transform: `scaleX(${Math.max(0.01, fraction)})` } : undefined} />
    </div>
  );
}

interface MeterProps {
  /** The id of what says what is measured. */
  labelledBy: string;
  value: number;
  max: number;
  /** Little is left. */
  near?: boolean;
  /** Of the bar: how wide it is; `--bar-size` says how high. */
  className?: string | undefined;
}

/** How much of something is used: as a number for who listens, as a bar for who sees. */
export function Meter({ labelledBy, value, max, near = false, className = "" }: MeterProps) {
  return (
    <span className={`${styles.progress} ${near ? styles.near : ""} ${className}`}>
      <meter className="visuallyHidden" aria-labelledby={labelledBy} max={max} value={value} />
      <span className={styles.bar} style={{ transform: `scaleX(${Math.min(1, value / max)})` }} aria-hidden="true" />
    </span>
  );
}

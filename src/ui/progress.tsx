import styles from "./progress.module.css";

interface ProgressProps {
  label: string;
  /** From 0 to 1, or undefined while unknown. */
  fraction?: number | undefined;
  /** What screen readers say instead of the percentage. */
  text?: string;
}

export function Progress({ label, fraction, text }: ProgressProps) {
  const known = fraction !== undefined;
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={known ? Math.round(fraction * 100) : undefined}
      aria-valuetext={text}
      className={`${styles.progress} ${known ? "" : styles.unknown}`}
    >
      <span className={styles.bar} style={known ? { transform: `scaleX(${Math.max(0.01, fraction)})` } : undefined} />
    </div>
  );
}

interface MeterProps {
  /** The id of the label. */
  labelledBy: string;
  value: number;
  max: number;
  /** Nearly used up. */
  near?: boolean;
  /** Of the bar: sets its width; `--bar-size` sets its height. */
  className?: string | undefined;
}

/** A meter: read as a number by screen readers, shown as a bar. */
export function Meter({ labelledBy, value, max, near = false, className = "" }: MeterProps) {
  return (
    <span className={`${styles.progress} ${near ? styles.near : ""} ${className}`}>
      <meter className="visuallyHidden" aria-labelledby={labelledBy} max={max} value={value} />
      <span className={styles.bar} style={{ transform: `scaleX(${Math.min(1, value / max)})` }} aria-hidden="true" />
    </span>
  );
}

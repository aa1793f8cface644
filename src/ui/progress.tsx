import styles from "./progress.module.css";

interface ProgressProps {
  label: string;
  /** From 0 to 1; undefined while unknown. */
  fraction?: number | undefined;
  /** Text that screen readers read in place of the percentage. */
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
  /** Whether it is nearly used up. */
  near?: boolean;
  /** The bar's class, which sets its width; `--bar-size` sets its height. */
  className?: string | undefined;
}

/** A meter: screen readers read a number, others see a bar. */
export function Meter({ labelledBy, value, max, near = false, className = "" }: MeterProps) {
  return (
    <span className={`${styles.progress} ${near ? styles.near : ""} ${className}`}>
      <meter className="visuallyHidden" aria-labelledby={labelledBy} max={max} value={value} />
      <span className={styles.bar} style={{ transform: `scaleX(${Math.min(1, value / max)})` }} aria-hidden="true" />
    </span>
  );
}

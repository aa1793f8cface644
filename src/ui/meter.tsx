import styles from "./meter.module.css";

interface MeterProps {
  /** The id of what says what is measured. */
  labelledBy: string;
  value: number;
  max: number;
  /** Little is left. */
  near?: boolean;
  /** Of the bar: how wide it is; `--meter-size` says how high. */
  className?: string | undefined;
}

/** How much of something is used: as a number for who listens, as a bar for who sees. */
export function Meter({ labelledBy, value, max, near = false, className = "" }: MeterProps) {
  return (
    <>
      <meter className="visuallyHidden" aria-labelledby={labelledBy} max={max} value={value} />
      <span className={`${styles.bar} ${near ? styles.near : ""} ${className}`} aria-hidden="true">
        <span style={{ transform: `scaleX(${Math.min(1, value / max)})` }} />
      </span>
    </>
  );
}

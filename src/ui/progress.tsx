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

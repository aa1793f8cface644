import styles from "./mark.module.css";

/** The product's name with its logo, a speech bubble. */
export function Mark({ nameHidden = false }: { nameHidden?: boolean }) {
  return (
    <span className={`line fit reading ${styles.mark}`}>
      <svg viewBox="0 0 32 32" width="28" height="28" aria-hidden="true" focusable="false">
        <path
          className={styles.bubble}
          d="M8 5h16a4 4 0 0 1 4 4v10a4 4 0 0 1-4 4h-6.5L10 28.5V23H8a4 4 0 0 1-4-4V9a4 4 0 0 1 4-4z"
        />
        <path className={styles.sound} d="M10.5 12.5v3M14.2 10.5v7M17.8 9v10M21.5 12v4" />
      </svg>
      <span className={nameHidden ? styles.hideable : undefined}>Parlance</span>
    </span>
  );
}

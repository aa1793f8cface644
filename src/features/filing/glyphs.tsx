import styles from "./filing.module.css";

// Kept out of the sprite of src/ui, because every page loads that one.

const paths = {
  folder: "M3 6.5A1.5 1.5 0 0 1 4.5 5h4.3l2 2.5h8.7A1.5 1.5 0 0 1 21 9v8.5a1.5 1.5 0 0 1-1.5 1.5h-15A1.5 1.5 0 0 1 3 17.5z",
  star: "m12 3.5 2.6 5.4 5.9.8-4.3 4.1 1.05 5.9L12 16.9l-5.25 2.8 1.05-5.9L3.5 9.7l5.9-.8z",
} as const;

/** An icon beside a text with the same meaning, so it is hidden from screen readers. */
export function Glyph({ name, filled = false }: { name: keyof typeof paths; filled?: boolean }) {
  return (
    <svg
      width="1.25em"
      height="1.25em"
      viewBox="0 0 24 24"
      fill={filled ? "currentColor" : "none"}
      stroke="currentColor"
      strokeWidth="1.75"
      strokeLinejoin="round"
      aria-hidden="true"
      focusable="false"
    >
      <path d={paths[name]} />
    </svg>
  );
}

/** A tag's colored dot. */
export function TagDot({ colour }: { colour: string | undefined }) {
  return <span className={styles.dot} data-colour={colour} />;
}

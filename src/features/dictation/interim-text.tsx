import styles from "./interim-text.module.css";

interface InterimTextProps {
  text: string;
  /** Number of characters at the beginning that will not change. Default 0. */
  stable?: number | undefined;
}

/** Interim text. Words that may still change look tentative. */
export function InterimText({ text, stable = 0 }: InterimTextProps) {
  return (
    <>
      {text.slice(0, stable)}
      <span className={styles.tentative}>{text.slice(stable)}</span>
    </>
  );
}

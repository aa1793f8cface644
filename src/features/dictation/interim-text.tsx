import styles from "./interim-text.module.css";

interface InterimTextProps {
  text: string;
  /** How many characters at its beginning stay as they are. Default 0. */
  stable?: number | undefined;
}

/** Words of somebody who is still speaking: those that may change look tentative. */
export function InterimText({ text, stable = 0 }: InterimTextProps) {
  return (
    <>
      {text.slice(0, stable)}
      <span className={styles.tentative}>{text.slice(stable)}</span>
    </>
  );
}

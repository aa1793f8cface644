import type { ReactNode } from "react";
import type { TranslatorStatus } from "#machines/translator/selectors.ts";
import styles from "./status.module.css";

/** A speech bubble of 48 by 48. Its content shows the state. */
const bubble = "M9 8h30a4 4 0 0 1 4 4v18a4 4 0 0 1-4 4H24l-9 8v-8H9a4 4 0 0 1-4-4V12a4 4 0 0 1 4-4z";

const lines = (
  <>
    <path className={styles.write} d="M12 16h24" />
    <path className={styles.write} d="M12 21h24" />
    <path className={styles.write} d="M12 26h14" />
  </>
);

/** One drawing for each state. Active ones are animated, unless the user prefers reduced motion. */
const drawings: Record<TranslatorStatus, ReactNode> = {
  idle: (
    <>
      <path d="M5 8h22a3 3 0 0 1 3 3v11a3 3 0 0 1-3 3H15l-6 5v-5H5a3 3 0 0 1-3-3V11a3 3 0 0 1 3-3z" />
      <path d="M34 19h9a3 3 0 0 1 3 3v10a3 3 0 0 1-3 3h-3v5l-6-5H22a3 3 0 0 1-3-3v-2" />
    </>
  ),
  askingForMicrophone: (
    <>
      <path className={styles.pulse} d="M24 6a5 5 0 0 0-5 5v9a5 5 0 0 0 10 0v-9a5 5 0 0 0-5-5z" />
      <path d="M13 19a11 11 0 0 0 22 0M24 30v6M17 36h14" />
      <path d="M36 8a3.5 3.5 0 1 1 4.5 3.4c-.8.3-1 .9-1 1.6v.5M39.5 17v.2" />
    </>
  ),
  listening: (
    <>
      <path d={bubble} />
      <path className={styles.bar} d="M15 17v8" />
      <path className={styles.bar} d="M21 14v14" />
      <path className={styles.bar} d="M27 16v10" />
      <path className={styles.bar} d="M33 18v6" />
    </>
  ),
  paused: (
    <>
      <path d={bubble} />
      <path d="M20 15v12M28 15v12" strokeWidth="3" />
    </>
  ),
  offline: (
    <>
      <path d="M8 20a22 22 0 0 1 9-5.3M40 20a22 22 0 0 0-13.5-6.3M14 27a14 14 0 0 1 6-3.5M34 27a14 14 0 0 0-4.5-3M24 35v.2" />
      <path d="M10 8l28 32" />
    </>
  ),
  transcribing: (
    <>
      <path d={bubble} />
      {lines}
    </>
  ),
  translating: (
    <>
      <path d="M6 9h16a3 3 0 0 1 3 3v10a3 3 0 0 1-3 3h-9l-5 4v-4H6a3 3 0 0 1-3-3V12a3 3 0 0 1 3-3z" />
      <path d="M30 21h12a3 3 0 0 1 3 3v10a3 3 0 0 1-3 3h-2v4l-5-4h-9a3 3 0 0 1-3-3v-3" />
      <path className={styles.pass} d="M31 10h8v7M36 14l3 3 3-3" />
    </>
  ),
  speaking: (
    <>
      <path d="M6 19h6l9-8v26l-9-8H6z" />
      <path className={styles.wave} d="M27 19a7 7 0 0 1 0 10" />
      <path className={styles.wave} d="M32 14a14 14 0 0 1 0 20" />
      <path className={styles.wave} d="M37 9a21 21 0 0 1 0 30" />
    </>
  ),
  replaying: (
    <>
      <path d={bubble} />
      <path d="M20 14.5v13l11-6.5z" />
    </>
  ),
  nothingHeard: (
    <>
      <path d={bubble} />
      <path d="M15 21h.2M24 21h.2M33 21h.2" strokeWidth="3" />
    </>
  ),
  limited: (
    <>
      <path d="M14 6h20M14 42h20M16 6v6c0 6 8 8 8 12s-8 6-8 12v6M32 6v6c0 6-8 8-8 12s8 6 8 12v6" />
      <path d="M19 40l5-5 5 5" />
    </>
  ),
  failed: (
    <>
      <path d={bubble} />
      <path d="M24 14v9M24 28v.2" strokeWidth="3" />
    </>
  ),
};

/** Decorative, because the text beside it says the same. */
export function StatusPicture({ status }: { status: TranslatorStatus }) {
  return (
    <svg className={styles.picture} viewBox="0 0 48 48" aria-hidden="true" focusable="false" data-picture={status}>
      {drawings[status]}
    </svg>
  );
}

import { type ReactNode, useId } from "react";
import { IconButton } from "./button.tsx";
import styles from "./panel.module.css";

interface PanelProps {
  title: string;
  /** Of the button that closes it. */
  closeLabel: string;
  onClose(): void;
  /** The room between its parts. */
  className?: string | undefined;
  children: ReactNode;
}

/** What is opened beside a transcript, and closed again: its heading has the focus at first. */
export function Panel({ title, closeLabel, onClose, className = "", children }: PanelProps) {
  const headingId = useId();
  return (
    <section className={`card ${styles.panel} ${className}`} aria-labelledby={headingId}>
      <header className="line apart gap-3">
        <h2 id={headingId} tabIndex={-1} ref={focusOnce}>
          {title}
        </h2>
        <IconButton icon="close" label={closeLabel} onClick={onClose} />
      </header>
      {children}
    </section>
  );
}

/** Opened by a button far from it: the focus goes where its content begins. */
const focusOnce = (heading: HTMLElement | null) => heading?.focus({ preventScroll: true });

import { type ReactNode, useId } from "react";
import { IconButton } from "./button.tsx";
import styles from "./panel.module.css";

interface PanelProps {
  title: string;
  /** The label of the close button. */
  closeLabel: string;
  onClose(): void;
  /** Sets the spacing between its parts. */
  className?: string | undefined;
  children: ReactNode;
}

/** A closable panel beside a transcript. Its heading takes the focus first. */
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

/** The ref of the heading. The button that opens the panel is far away, so the focus moves to the panel's beginning. */
const focusOnce = (heading: HTMLElement | null) => heading?.focus({ preventScroll: true });

import { type ReactNode, useState } from "react";
import styles from "./drop-zone.module.css";

interface DropZoneProps {
  label: string;
  className?: string | undefined;
  testId?: string;
  onFiles(files: File[]): void;
  /** With a `FileButton`, as the alternative to dragging. */
  children: ReactNode;
}

/** A drop area for files; it is highlighted while files are dragged over it. */
export function DropZone({ label, className = "", testId, onFiles, children }: DropZoneProps) {
  const [over, setOver] = useState(false);
  return (
    <section
      aria-label={label}
      className={`${styles.zone} ${className} ${over ? styles.over : ""}`}
      data-testid={testId}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={({ relatedTarget, currentTarget }) => {
        // Moving on to a child is not leaving.
        if (!(relatedTarget instanceof Node && currentTarget.contains(relatedTarget))) setOver(false);
      }}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        onFiles([...event.dataTransfer.files]);
      }}
    >
      {children}
    </section>
  );
}

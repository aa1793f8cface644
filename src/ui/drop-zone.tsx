import { type ReactNode, useState } from "react";
import styles from "./drop-zone.module.css";

interface DropZoneProps {
  label: string;
  className?: string | undefined;
  /** Added while files are dragged over it. */
  overClassName?: string | undefined;
  testId?: string;
  /** Files that are dropped beside it are meant for it, too; it is highlighted as soon as some are dragged over the page. */
  anywhere?: boolean;
  onFiles(files: File[]): void;
  /** With a `FileButton`, as the alternative to dragging. */
  children: ReactNode;
}

const hasFiles = ({ dataTransfer }: DragEvent): boolean => dataTransfer?.types.includes("Files") === true;

interface PageDrags {
  setOver(over: boolean): void;
  onFiles(files: File[]): void;
}

/** Follows what is dragged anywhere over the page. @returns a function that stops it */
function followPage({ setOver, onFiles }: PageDrags): () => void {
  const stop = new AbortController();
  const follow = <Type extends "dragover" | "dragleave" | "drop">(type: Type, react: (event: DragEvent) => void) =>
    document.addEventListener(type, react, { signal: stop.signal });
  follow("dragover", (event) => {
    if (!hasFiles(event)) return;
    // Without this the browser would open the file in the page's place.
    event.preventDefault();
    setOver(true);
  });
  // Out of the window.
  follow("dragleave", ({ relatedTarget }) => {
    if (relatedTarget === null) setOver(false);
  });
  follow("drop", (event) => {
    setOver(false);
    // The zone itself, or another one, may have taken them.
    if (!hasFiles(event) || event.defaultPrevented) return;
    event.preventDefault();
    onFiles([...(event.dataTransfer?.files ?? [])]);
  });
  return () => stop.abort();
}

/** A drop area for files; it is highlighted while files are dragged over it. */
export function DropZone({
  label,
  className = "",
  overClassName = "",
  testId,
  anywhere = false,
  onFiles,
  children,
}: DropZoneProps) {
  const [over, setOver] = useState(false);
  return (
    <section
      ref={(zone) => (anywhere && zone ? followPage({ setOver, onFiles }) : undefined)}
      aria-label={label}
      className={`${styles.zone} ${className} ${over ? `${styles.over} ${overClassName}` : ""}`}
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

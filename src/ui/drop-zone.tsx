import { type ReactNode, useState } from "react";
import styles from "./drop-zone.module.css";

interface DropZoneProps {
  label: string;
  className?: string | undefined;
  /** A class added while files are dragged over the zone. */
  overClassName?: string | undefined;
  testId?: string;
  /**
   * Whether the zone also takes files dropped beside it. It is highlighted as soon as files are dragged over the page.
   */
  anywhere?: boolean;
  onFiles(files: File[]): void;
  /** Should contain a `FileButton`, as the alternative to dragging. */
  children: ReactNode;
}

const hasFiles = ({ dataTransfer }: DragEvent): boolean => dataTransfer?.types.includes("Files") === true;

interface PageDrags {
  setOver(over: boolean): void;
  onFiles(files: File[]): void;
}

/** Handles drags anywhere over the page. @returns a function that stops it */
function followPage({ setOver, onFiles }: PageDrags): () => void {
  const stop = new AbortController();
  const follow = <Type extends "dragover" | "dragleave" | "drop">(type: Type, react: (event: DragEvent) => void) =>
    document.addEventListener(type, react, { signal: stop.signal });
  follow("dragover", (event) => {
    if (!hasFiles(event)) return;
    // Otherwise the browser would open the file in place of the page.
    event.preventDefault();
    setOver(true);
  });
  // The drag has left the window.
  follow("dragleave", ({ relatedTarget }) => {
    if (relatedTarget === null) setOver(false);
  });
  follow("drop", (event) => {
    setOver(false);
    // This zone or another one may have taken the files already.
    if (!hasFiles(event) || event.defaultPrevented) return;
    event.preventDefault();
    onFiles([...(event.dataTransfer?.files ?? [])]);
  });
  return () => stop.abort();
}

/** A drop area for files, highlighted while files are dragged over it. */
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
        // Moving to a child element does not count as leaving.
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

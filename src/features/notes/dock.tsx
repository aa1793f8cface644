import { useSelector } from "@xstate/react";
import { useCallback } from "react";
import { useTranslation } from "react-i18next";
import type { Segment } from "#contract/index.ts";
import { selectDraft } from "#machines/notes/selectors.ts";
import type { Notes } from "./actor.ts";
import { NoteForm } from "./form.tsx";
import styles from "./notes.module.css";
import { useReturn } from "./returning.ts";

/** How a page shows passages, identified by their start (seconds). */
export interface Passages {
  /** Scrolls the passage into the visible part of the page. */
  onShow(seconds: number): void;
  /** Focuses the passage, because the focused element has disappeared. */
  onReturn(seconds: number): void;
}

interface DockProps extends Passages {
  notes: Notes;
  segments: readonly Segment[];
  /** Places the form on the page. */
  className: string | undefined;
}

/** The form of a note: beside the text, or on a phone over its lower part. The passage stays visible. */
export function Dock({ notes, segments, className, onShow, onReturn }: DockProps) {
  const { t } = useTranslation("notes");
  const from = useSelector(notes, (snapshot) => selectDraft(snapshot)?.start ?? 0);
  const { ref: returning, onFocus } = useReturn(onReturn);
  const ref = useCallback(
    (dock: HTMLElement | null) => {
      if (dock !== null) onShow(Number(dock.dataset.from));
      return returning(dock);
    },
    [returning, onShow],
  );
  return (
    <section
      ref={ref}
      onFocus={onFocus}
      className={`${styles.dock} ${className}`}
      data-notes-dock
      data-covers-bottom
      data-from={from}
      aria-label={t("dock")}
    >
      <NoteForm notes={notes} segments={segments} />
    </section>
  );
}

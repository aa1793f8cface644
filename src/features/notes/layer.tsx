import { useSelector } from "@xstate/react";
import { type ReactNode, useCallback, useMemo } from "react";
import { useTranslation } from "react-i18next";
import type { Segment, TimeRange } from "#contract/index.ts";
import { selectIsWriting, selectItems } from "#machines/collection/selectors.ts";
import { selectDraft, selectSelected } from "#machines/notes/selectors.ts";
import { awaitedPart, lazyPart } from "#src/ui/lazy-part.tsx";
import type { Notes } from "./actor.ts";
import type { Passages } from "./dock.tsx";
import styles from "./notable.module.css";
import { notesByRow, type RowNote, rowNoteOf } from "./row-notes.ts";
import { listenToSelection } from "./selection.ts";

/** Loaded with its texts when the user selects text. */
const SelectionTools = lazyPart(async () => (await import("./selection-tools.tsx")).SelectionTools, "notes");

/** Loaded with its texts when the user writes a note. */
const Dock = lazyPart(async () => (await import("./dock.tsx")).Dock, "notes");

/** Loaded with its texts when the user opens it. */
export const NotesPanel = awaitedPart(async () => (await import("./panel.tsx")).NotesPanel, "notes");

const nowhere: ReadonlyMap<number, readonly RowNote[]> = new Map();
const isSame = (one: TimeRange | null, other: TimeRange | null): boolean =>
  one === other || (one?.start === other?.start && one?.end === other?.end);

/**
 * The notes of each row, by row index. The map changes only with a note or with the passage of the current draft, so
 * that playback and typing render nothing again.
 * @param notes undefined if the page offers no notes
 */
export function useRowNotes(notes: Notes | undefined, segments: readonly Segment[]): ReadonlyMap<number, readonly RowNote[]> {
  const all = useSelector(notes, (snapshot) => (snapshot === undefined ? null : selectItems(snapshot)));
  const written = useSelector(notes, (snapshot) => (snapshot === undefined ? null : selectDraft(snapshot)), isSame);
  return useMemo(() => {
    if (all === null || (all.length === 0 && written === null)) return nowhere;
    const draft: RowNote[] = written === null ? [] : [{ start: written.start, end: written.end, look: "draft", text: "" }];
    return notesByRow(segments, [...all.map(rowNoteOf), ...draft]);
  }, [all, written, segments]);
}

interface NotableProps {
  notes: Notes | undefined;
  segments: readonly Segment[];
  /** Plays from this second; undefined without audio. */
  play: ((seconds: number) => void) | undefined;
  onReturn: Passages["onReturn"];
  children: ReactNode;
}

/** A text with selectable passages. Tools for the selection appear beside it. */
export function Notable({ notes, segments, play, onReturn, children }: NotableProps) {
  const { t } = useTranslation("app");
  const selected = useSelector(notes, (snapshot) => (snapshot === undefined ? null : selectSelected(snapshot)));
  const listen = useCallback(
    (text: HTMLElement | null) => {
      if (text === null || notes === undefined) return undefined;
      return listenToSelection(text, segments, (passage) => {
        if (!isSame(notes.getSnapshot().context.selected, passage)) notes.send({ type: "passage.selected", passage });
      });
    },
    [notes, segments],
  );
  return (
    <div ref={listen} className={styles.notable}>
      {children}
      <span className="visuallyHidden" role="status">
        {selected === null ? "" : t("transcript.notes.selected")}
      </span>
      {notes === undefined || selected === null ? null : (
        <SelectionTools notes={notes} segments={segments} selected={selected} play={play} onReturn={onReturn} />
      )}
    </div>
  );
}

interface NotesDockProps extends Passages {
  notes: Notes;
  segments: readonly Segment[];
  className: string | undefined;
}

/** The form of a note, while the user writes one. */
export function NotesDock({ notes, ...dock }: NotesDockProps) {
  const writing = useSelector(notes, selectIsWriting);
  if (!writing) return null;
  return <Dock notes={notes} {...dock} />;
}

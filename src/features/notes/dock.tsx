import { useSelector } from "@xstate/react";
import { type FocusEvent, type KeyboardEvent, type MouseEvent, useCallback, useRef } from "react";
import { useTranslation } from "react-i18next";
import { noteColours, type Segment, type TimeRange } from "#contract/index.ts";
import { selectDraft, selectIsWriting, selectSelected } from "#machines/notes/selectors.ts";
import { newId } from "#src/browser/new-id.ts";
import { Button, IconButton } from "#src/ui/button.tsx";
import type { Notes } from "./actor.ts";
import { beginNote } from "./begin.ts";
import { NoteForm } from "./form.tsx";
import styles from "./notes.module.css";
import marks from "./notes-marks.module.css";

interface DockProps {
  notes: Notes;
  segments: readonly Segment[];
  /** The focus goes to the passage that begins there (seconds): what had it is gone. */
  onReturn(seconds: number): void;
}

const hasNoFocus = (): boolean => document.activeElement === null || document.activeElement === document.body;

/** What had the focus before gets it back when the dock is closed with the focus in it, or else the passage it was about. */
function useReturn(onReturn: (seconds: number) => void) {
  const before = useRef<EventTarget>(null);
  const onFocus = ({ relatedTarget, currentTarget }: FocusEvent) => {
    if (!currentTarget.contains(relatedTarget)) before.current = relatedTarget;
  };
  const ref = useCallback(
    (dock: HTMLElement | null) => {
      if (dock === null) return undefined;
      return () => {
        if (!dock.contains(document.activeElement)) return;
        const start = Number(dock.dataset.from);
        // As soon as the dock is gone.
        queueMicrotask(() => {
          const element = before.current;
          if (!hasNoFocus()) return;
          // Where somebody has pressed the mouse in a text the page's main part had the focus.
          const isControl = element instanceof HTMLElement && element.tabIndex >= 0 && element.isConnected;
          if (isControl) element.focus({ preventScroll: true });
          else onReturn(start);
        });
      };
    },
    [onReturn],
  );
  return { ref, onFocus };
}

/** Below the text: highlights or notes the selected passage; the form of a note while one is written. */
export function Dock({ notes, segments, onReturn }: DockProps) {
  const { t } = useTranslation("notes");
  const writing = useSelector(notes, selectIsWriting);
  const selected = useSelector(notes, selectSelected);
  const from = useSelector(notes, (snapshot) => (selectDraft(snapshot) ?? snapshot.context.selected)?.start ?? 0);
  const returning = useReturn(onReturn);
  return (
    <section {...returning} className={styles.dock} data-notes-dock data-covers-bottom data-from={from} aria-label={t("dock")}>
      {writing ? <NoteForm notes={notes} segments={segments} /> : null}
      {selected === null ? null : <Choices notes={notes} selected={selected} />}
    </section>
  );
}

/** The selection goes where a button is pressed with the mouse. */
const keepSelection = (event: MouseEvent) => event.preventDefault();

function Choices({ notes, selected }: { notes: Notes; selected: TimeRange }) {
  const { t } = useTranslation("notes");
  const leave = () => {
    getSelection()?.removeAllRanges();
    notes.send({ type: "passage.selected", passage: null });
  };
  const onKeyDown = ({ key }: KeyboardEvent) => key === "Escape" && leave();
  return (
    <div className={styles.choices} role="toolbar" aria-label={t("choices")} onMouseDown={keepSelection} onKeyDown={onKeyDown}>
      {noteColours.map((colour) => (
        <Button
          key={colour}
          className={styles.choice}
          aria-label={t("highlight", { colour: t(`colours.${colour}`) })}
          onClick={() => {
            getSelection()?.removeAllRanges();
            notes.send({ type: "highlight.requested", id: newId(), colour });
          }}
        >
          <span className={marks.swatch} data-note={colour} />
          {t(`colours.${colour}`)}
        </Button>
      ))}
      <Button icon="edit" onClick={() => beginNote(notes, selected)}>
        {t("write")}
      </Button>
      <IconButton icon="close" label={t("leave")} onClick={leave} />
    </div>
  );
}

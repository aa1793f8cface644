import type { MouseEvent } from "react";
import { useTranslation } from "react-i18next";
import type { Segment } from "#contract/index.ts";
import { IconButton } from "#src/ui/button.tsx";
import type { InPlace } from "#src/ui/editing-in-place.ts";
import { timeAt } from "./caret.ts";
import { partsAt } from "./editor.tsx";
import type { RowLook } from "./row.ts";
import styles from "./segment.module.css";

interface RowToolsProps extends RowLook {
  segment: Segment;
  index: number;
  time: string;
  /** The translation's language; null: there is none. */
  target: string | null;
  /** The value of the text's field; undefined while it is closed. */
  typed: string | undefined;
  newSpeaker: boolean;
  naming: InPlace;
}

/** Keeps the caret and the selection when a tool is pressed with the mouse. */
const keepFocus = (event: MouseEvent) => event.preventDefault();

/** The actions of a row, at its end. Visible while the row has the mouse or the focus. */
export function RowTools(props: RowToolsProps) {
  const { segment, time, editable, typed, actions } = props;
  const { t } = useTranslation("app");
  if (!editable && actions.note === undefined) return null;
  return (
    <div className={styles.tools} role="toolbar" aria-label={t("transcript.rowTools", { time })} onMouseDown={keepFocus}>
      {editable ? typed === undefined ? <ReadingTools {...props} /> : <TypingTools {...props} /> : null}
      {typed !== undefined || actions.note === undefined ? null : (
        <IconButton
          icon="feedback"
          label={t("transcript.notes.add", { time })}
          data-note-button
          onClick={() => actions.note?.(segment)}
        />
      )}
    </div>
  );
}

function ReadingTools({ segment, index, time, target, view, newSpeaker, naming, actions }: RowToolsProps) {
  const { t } = useTranslation("app");
  const isTranslated = target !== null && view !== "original";
  const isNamed = naming.editing || (newSpeaker && segment.speaker !== undefined);
  return (
    <>
      {isNamed ? null : (
        <IconButton ref={naming.opener} icon="users" label={t("transcript.speakers.set", { time })} onClick={naming.begin} />
      )}
      {isTranslated && view === "translation" ? null : (
        <IconButton icon="edit" label={t("transcript.edit", { time })} data-edit onClick={() => actions.open(index, "text")} />
      )}
      {isTranslated ? (
        <IconButton
          icon="translate"
          label={t("transcript.editTranslation", { time })}
          data-edit-translation
          onClick={() => actions.open(index, "translation")}
        />
      ) : null}
    </>
  );
}

/** Actions while the user edits the text, for those who don't know the keys. The buttons also show the keys. */
function TypingTools({ segment, index, seekable, actions }: RowToolsProps) {
  const { t } = useTranslation("app");
  /** Finds the field in the button's row. */
  const at =
    (act: (area: HTMLTextAreaElement) => void) =>
    ({ currentTarget }: MouseEvent) => {
      const area = currentTarget.closest("li")?.querySelector<HTMLTextAreaElement>("[data-field=text] textarea");
      if (area) act(area);
    };
  const key = (name: string) => `${t(`transcript.${name}`)} (${t(`transcript.${name}Key`)})`;
  return (
    <>
      {seekable ? (
        <IconButton icon="play" label={t("transcript.playCaret")} onClick={at((area) => actions.seek(timeAt(segment, area)))} />
      ) : null}
      <IconButton
        icon="split"
        label={t("transcript.split")}
        title={key("split")}
        onClick={at((area) => {
          const [before, after] = partsAt(area);
          actions.split(index, before, after);
        })}
      />
      {index === 0 ? null : (
        <IconButton icon="merge" label={t("transcript.merge")} title={key("merge")} onClick={() => actions.merge(index)} />
      )}
    </>
  );
}

import { useSelector } from "@xstate/react";
import { memo, useMemo } from "react";
import { useTranslation } from "react-i18next";
import { type Note, quoteAt, type Segment } from "#contract/index.ts";
import { selectFailure, selectIsOpen, selectIsUnavailable } from "#machines/collection/loading.ts";
import { selectIsWriting, selectItems } from "#machines/collection/selectors.ts";
import { selectIsSaving, selectRemoved } from "#machines/notes/selectors.ts";
import { LoadingNotices } from "#src/features/collection/loading-notices.tsx";
import { clock } from "#src/i18n/format.ts";
import { Button } from "#src/ui/button.tsx";
import { claimFocus } from "#src/ui/claim-focus.ts";
import entries from "#src/ui/entries.module.css";
import { Icon } from "#src/ui/icon.tsx";
import { Notice } from "#src/ui/notice.tsx";
import { Panel } from "#src/ui/panel.tsx";
import type { Notes } from "./actor.ts";
import styles from "./notes.module.css";
import marks from "./notes-marks.module.css";

/** Plays or shows the place of a note. */
interface Playing {
  /** Plays from this second, or shows the place if there is no audio. */
  play(seconds: number): void;
  hasAudio: boolean;
}

interface NotesPanelProps {
  notes: Notes;
  segments: readonly Segment[];
  playing: Playing;
  onClose(): void;
}

/** The highlights and notes of a transcript, sorted by time. */
export function NotesPanel({ notes, segments, playing, onClose }: NotesPanelProps) {
  const { t } = useTranslation("notes");
  const unavailable = useSelector(notes, selectIsUnavailable);
  const isOpen = useSelector(notes, selectIsOpen);
  return (
    <Panel className="gap-3" title={t("title")} closeLabel={t("close")} onClose={onClose}>
      <LoadingNotices actor={notes} texts={{ loading: t("loading"), failed: t("failed"), retry: t("retry") }} />
      {unavailable ? <Notice>{t("unavailable")}</Notice> : null}
      {isOpen ? <List notes={notes} segments={segments} playing={playing} /> : null}
    </Panel>
  );
}

function List({ notes, segments, playing }: Omit<NotesPanelProps, "onClose">) {
  const { t } = useTranslation("notes");
  const all = useSelector(notes, selectItems);
  const quotes = useMemo(() => all.map((note) => quoteAt(segments, note)), [all, segments]);
  const failure = useSelector(notes, (snapshot) => (selectIsWriting(snapshot) ? null : selectFailure(snapshot)));
  return (
    <>
      <p className="measure note">{t(all.length === 0 ? "none" : "text")}</p>
      <Removed notes={notes} />
      {failure === null ? null : <Notice tone="danger">{t("failure.unchanged")}</Notice>}
      <ul className={`stack gap-0 ${styles.list}`} aria-label={t("title")}>
        {all.map((note, index) => (
          <Row key={note.id} notes={notes} note={note} quote={quotes[index] ?? ""} playing={playing} />
        ))}
      </ul>
    </>
  );
}

/** A note that was just deleted. It takes the focus, and the user can undo the deletion here. */
function Removed({ notes }: { notes: Notes }) {
  const { t } = useTranslation("notes");
  const removed = useSelector(notes, selectRemoved);
  const saving = useSelector(notes, selectIsSaving);
  if (removed === null) return null;
  const undo = (
    <Button key={removed.id} ref={claimFocus} icon="undo" busy={saving} onClick={() => notes.send({ type: "undo.requested" })}>
      {t("undo")}
    </Button>
  );
  return <Notice actions={undo}>{t("removed", { time: clock(removed.start) })}</Notice>;
}

interface RowProps {
  notes: Notes;
  note: Note;
  quote: string;
  playing: Playing;
}

const Row = memo(function Row({ notes, note, quote, playing }: RowProps) {
  const { t } = useTranslation("notes");
  const { id, start, end, colour, text } = note;
  const time = clock(start);
  return (
    <li className={entries.entry}>
      <div className={`stack gap-2 ${entries.about}`}>
        <p className={styles.where}>
          <button
            type="button"
            className={styles.time}
            aria-label={t(playing.hasAudio ? "playFrom" : "showAt", { time })}
            onClick={() => playing.play(start)}
          >
            {playing.hasAudio ? <Icon name="play" /> : null}
            {time}
          </button>
          <span>{t("until", { time: clock(end) })}</span>
          {colour === null ? null : (
            <span className={styles.named}>
              <span className={marks.swatch} data-note={colour} />
              {t(`colours.${colour}`)}
            </span>
          )}
        </p>
        {quote === "" ? null : (
          <blockquote className={styles.quote} dir="auto">
            {quote}
          </blockquote>
        )}
        {text === "" ? null : (
          <p className="measure anywhere as-written" dir="auto">
            {text}
          </p>
        )}
      </div>
      <div className="row">
        <Button icon="edit" aria-label={t("changeWhich", { time })} onClick={() => notes.send({ type: "editing.requested", id })}>
          {t("change")}
        </Button>
        <Button aria-label={t("removeWhich", { time })} onClick={() => notes.send({ type: "removal.requested", id })}>
          {t("remove")}
        </Button>
      </div>
    </li>
  );
});

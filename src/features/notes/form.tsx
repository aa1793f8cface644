import { useSelector } from "@xstate/react";
import { type FormEvent, type KeyboardEvent, useId, useMemo } from "react";
import { useTranslation } from "react-i18next";
import { noteColours, noteLimits, quoteAt, type Segment } from "#contract/index.ts";
import { selectFailure } from "#machines/collection/loading.ts";
import { movedEdge, type WrittenNote } from "#machines/notes/rules.ts";
import { selectDraft, selectEdited, selectIsSaving } from "#machines/notes/selectors.ts";
import { clock } from "#src/i18n/format.ts";
import { Button, IconButton } from "#src/ui/button.tsx";
import field from "#src/ui/field.module.css";
import { Notice } from "#src/ui/notice.tsx";
import type { Notes } from "./actor.ts";
import styles from "./notes.module.css";
import marks from "./notes-marks.module.css";

interface FormProps {
  notes: Notes;
  segments: readonly Segment[];
}

/** The form of a new or an existing note. */
export function NoteForm({ notes, segments }: FormProps) {
  const draft = useSelector(notes, selectDraft);
  return draft === null ? null : <Form notes={notes} segments={segments} draft={draft} />;
}

const focusOnce = (area: HTMLTextAreaElement | null) => area?.focus({ preventScroll: true });

function Form({ notes, segments, draft }: FormProps & { draft: WrittenNote }) {
  const { t } = useTranslation("notes");
  const id = useId();
  const saving = useSelector(notes, selectIsSaving);
  const dismiss = () => notes.send({ type: "draft.dismissed" });
  const submit = (event?: FormEvent) => {
    event?.preventDefault();
    notes.send({ type: "save.requested" });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Escape") dismiss();
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) submit(event);
  };
  return (
    <form className="stack gap-2" aria-labelledby={id} noValidate onSubmit={submit} onKeyDown={onKeyDown}>
      <h2 id={id} className="size-1">
        {t(draft.revision === 0 ? "form.title" : "form.titleChange", { time: clock(draft.start) })}
      </h2>
      <PassageField notes={notes} segments={segments} draft={draft} />
      <Colours notes={notes} draft={draft} />
      <textarea
        ref={focusOnce}
        className={`${field.control} ${styles.area}`}
        aria-label={t("form.text")}
        placeholder={t("form.text")}
        rows={2}
        dir="auto"
        maxLength={noteLimits.characters}
        value={draft.text}
        onChange={({ target }) => notes.send({ type: "draft.changed", change: { text: target.value } })}
      />
      <Failure notes={notes} />
      <div className="row">
        <Button type="submit" look="primary" busy={saving}>
          {t("form.save")}
        </Button>
        <Button look="quiet" aria-disabled={saving} onClick={dismiss}>
          {t("form.cancel")}
        </Button>
      </div>
    </form>
  );
}

const edges = [
  ["start", -1, "plus"],
  ["start", 1, "minus"],
  ["end", -1, "minus"],
  ["end", 1, "plus"],
] as const;

/** The note's passage, with buttons that move its ends by a word, because a selection needs a mouse or a finger. */
function PassageField({ notes, segments, draft }: FormProps & { draft: WrittenNote }) {
  const { t } = useTranslation("notes");
  const { start, end } = draft;
  const quote = useMemo(() => quoteAt(segments, { start, end }), [segments, start, end]);
  const button = ([edge, step, icon]: (typeof edges)[number]) => {
    const moved = movedEdge(segments, draft, edge, step);
    return (
      <IconButton
        key={`${edge}${step}`}
        icon={icon}
        label={t(`form.${edge}.${icon}`)}
        aria-disabled={moved === draft || undefined}
        onClick={() => notes.send({ type: "draft.changed", change: { start: moved.start, end: moved.end } })}
      />
    );
  };
  return (
    <fieldset className="line gap-1" aria-label={t("form.passage")}>
      {edges.slice(0, 2).map(button)}
      <blockquote className={styles.quote} aria-live="polite" dir="auto">
        {quote === "" ? `${clock(start)}–${clock(end)}` : quote}
      </blockquote>
      {edges.slice(2).map(button)}
    </fieldset>
  );
}

function Colours({ notes, draft }: { notes: Notes; draft: WrittenNote }) {
  const { t } = useTranslation("notes");
  return (
    <fieldset className={styles.colours}>
      <legend className="visuallyHidden">{t("form.colour")}</legend>
      {[null, ...noteColours].map((colour) => (
        <label key={colour} className={styles.colour}>
          <input
            type="radio"
            name="colour"
            checked={draft.colour === colour}
            onChange={() => notes.send({ type: "draft.changed", change: { colour } })}
          />
          {colour === null ? null : <span className={marks.swatch} data-note={colour} />}
          {t(colour === null ? "form.noColour" : `colours.${colour}`)}
        </label>
      ))}
    </fieldset>
  );
}

function Failure({ notes }: { notes: Notes }) {
  const { t } = useTranslation("notes");
  const failure = useSelector(notes, selectFailure);
  const edited = useSelector(notes, selectEdited);
  if (failure === null) return null;
  if (failure === "conflict" && edited === null) return <Notice tone="danger">{t("failure.gone")}</Notice>;
  return (
    <Notice tone="danger">
      {t([`failure.${failure}`, "failure.other"], { count: noteLimits.notes })}
      {failure === "conflict" && edited !== null ? (
        <blockquote className={styles.quote} dir="auto">
          {edited.text === "" ? t(`colours.${edited.colour ?? "yellow"}`) : edited.text}
        </blockquote>
      ) : null}
    </Notice>
  );
}

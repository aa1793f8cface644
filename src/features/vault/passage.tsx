import { useSelector } from "@xstate/react";
import { memo, useMemo, useSyncExternalStore } from "react";
import { useTranslation } from "react-i18next";
import type { Mark, Segment } from "#contract/index.ts";
import { selectIsTextSaving, selectSaveFailure } from "#machines/vault/reading.ts";
import type { PositionStore } from "#src/audio/position.ts";
import { Editor } from "#src/features/transcription/editor.tsx";
import { usePlayedIndex } from "#src/features/transcription/played.ts";
import { useSpeakerName } from "#src/features/transcription/speaker.tsx";
import { FoundText, Words } from "#src/features/transcription/words.tsx";
import { clock } from "#src/i18n/format.ts";
import { Button, IconButton } from "#src/ui/button.tsx";
import { useReturningFocus } from "#src/ui/editing-in-place.ts";
import { RetryNotice } from "#src/ui/retry-notice.tsx";
import { problemKey } from "./problem.ts";
import type { VaultReading } from "./reading-actor.ts";
import styles from "./vault.module.css";

interface VaultPassageProps {
  reading: VaultReading;
  segment: Segment;
  index: number;
  /** The languages of the whole text. */
  language: string;
  targetLanguage: string | null;
  /** The playback position while this passage is played; undefined otherwise. */
  position: PositionStore | undefined;
  /** Finds the search hits in this passage's texts; undefined if the search has not led here. */
  sought: ((said: string) => readonly Mark[]) | undefined;
  editable: boolean;
  /** Whether its field is open. */
  edited: boolean;
  /** @param seconds start position */
  onPlay(seconds: number): void;
}

/** Scrolls to the passage that the search has found, and focuses it. */
function arrive(row: HTMLElement | null): void {
  row?.scrollIntoView({ block: "center" });
  row?.querySelector("button")?.focus({ preventScroll: true });
}

/** A passage with its time, speaker and translation. */
export const VaultPassage = memo(function VaultPassage(props: VaultPassageProps) {
  const { reading, segment, index, language, targetLanguage, position, sought, editable, edited, onPlay } = props;
  const { t } = useTranslation(["vault", "app"]);
  const nameOf = useSpeakerName();
  const time = clock(segment.start);
  const isNow = position !== undefined;
  const returning = useReturningFocus();
  const spokenIn = segment.language ?? language;
  const lang = spokenIn === "auto" ? undefined : spokenIn;
  const translation = segment.translation ?? "";
  return (
    <li
      ref={sought === undefined ? undefined : arrive}
      className={`${isNow ? styles.now : ""} ${sought === undefined ? "" : styles.sought}`}
      aria-current={isNow || undefined}
    >
      <button
        type="button"
        className={styles.time}
        aria-label={t("text.playFrom", { time })}
        onClick={() => onPlay(segment.start)}
      >
        {time}
      </button>
      <div>
        {segment.speaker === undefined ? null : <p className="fine digits">{nameOf(segment.speaker)}</p>}
        {edited ? (
          <Field reading={reading} label={t("app:transcript.editLabel", { time })} lang={lang} />
        ) : (
          <p className={styles.said} lang={lang} dir="auto" data-index={index}>
            <Said segment={segment} index={index} position={position} marks={sought?.(segment.text) ?? noMarks} />
          </p>
        )}
        {translation === "" ? null : (
          <p className="soft" lang={segment.translationLanguage ?? targetLanguage ?? undefined} dir="auto">
            <Found text={translation} index={index} marks={sought?.(translation) ?? noMarks} />
          </p>
        )}
      </div>
      {editable && !edited ? (
        <IconButton
          ref={returning.opener}
          icon="edit"
          label={t("app:transcript.edit", { time })}
          onClick={() => {
            returning.leave();
            reading.actor.send({ type: "edit.requested", index });
          }}
        />
      ) : null}
    </li>
  );
});

const noMarks: readonly Mark[] = [];
const hitsOf = (index: number, marks: readonly Mark[]) => marks.map(([from, to]) => ({ index, side: "text" as const, from, to }));

interface SaidProps {
  segment: Segment;
  index: number;
  position: PositionStore | undefined;
  marks: readonly Mark[];
}

/** The text. While it is played, the spoken word is marked. */
function Said({ segment, index, position, marks }: SaidProps) {
  const spoken = usePlayedIndex(segment.words, position);
  const hits = useMemo(() => hitsOf(index, marks), [index, marks]);
  if (position === undefined) return <Found text={segment.text} index={index} marks={marks} />;
  return <Words segment={segment} spoken={spoken} looked={undefined} hits={hits} current={undefined} notes={noNotes} />;
}
const noNotes: [] = [];

function Found({ text, index, marks }: { text: string; index: number; marks: readonly Mark[] }) {
  return <FoundText text={text} hits={hitsOf(index, marks)} current={undefined} />;
}

/** Focuses the opened field with the caret at its end. */
function focusField(place: HTMLElement | null): void {
  const field = place?.querySelector("textarea");
  field?.focus();
  field?.setSelectionRange(field.value.length, field.value.length);
}

interface FieldProps {
  reading: VaultReading;
  label: string;
  lang: string | undefined;
}

/** The field of the passage. Enter saves, Escape discards. Text that can't be saved stays here. */
function Field({ reading: { actor, typed, type }, label, lang }: FieldProps) {
  const { t } = useTranslation("vault");
  const text = useSyncExternalStore(typed.subscribe, typed.get);
  const saving = useSelector(actor, selectIsTextSaving);
  const failure = useSelector(actor, selectSaveFailure);
  const save = () => actor.send({ type: "save.requested" });
  const cancel = () => actor.send({ type: "edit.cancelled" });
  return (
    <div ref={focusField} className="stack gap-3" lang={lang}>
      <Editor text={text} label={label} onType={type} onClose={(closed) => (closed === null ? cancel() : save())} />
      <div className={`stack gap-3 ${styles.fieldTools}`}>
        {failure === null ? null : (
          <RetryNotice label={t("again")} onRetry={save}>
            {t("reading.notSaved")} {t(problemKey(failure))}
          </RetryNotice>
        )}
        <div className="row">
          {failure === null ? (
            <Button look="primary" busy={saving} onClick={save}>
              {t("reading.save")}
            </Button>
          ) : null}
          <Button look="quiet" disabled={saving} onClick={cancel}>
            {t("cancel")}
          </Button>
        </div>
      </div>
    </div>
  );
}

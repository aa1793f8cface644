import { memo, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { isUnsure, type Segment, type Word, wordStarts } from "#contract/index.ts";
import type { Hit } from "#machines/transcription/find/rules.ts";
import marks from "#src/features/notes/notes-marks.module.css";
import { noteAt, type RowNote } from "#src/features/notes/row-notes.ts";
import { type Piece, pieces } from "./marks.ts";
import styles from "./segment.module.css";

interface Found {
  /** Hits in this text, in order. */
  hits: readonly Hit[];
  /** The current hit. */
  current: Hit | undefined;
}

function Marked({ parts, hits, current }: Found & { parts: readonly Piece[] }) {
  return parts.map(({ text, from, hit }) =>
    hit === undefined ? (
      text
    ) : (
      <mark key={from} className={hits[hit] === current ? styles.currentHit : styles.hit}>
        {text}
      </mark>
    ),
  );
}

interface NotedProps {
  /** The note on this part; undefined: none. */
  note: RowNote | undefined;
  children: ReactNode;
  /** The word's class. */
  className?: string;
  title?: string | undefined;
  "data-start"?: number;
  "data-unsure"?: true | undefined;
}

/** A part of a text, marked if it has a note. */
function Noted({ note, children, className = "", title, ...data }: NotedProps) {
  const Part = note === undefined ? "span" : "mark";
  return (
    <Part
      {...data}
      className={note === undefined ? className : `${className} ${marks.mark}`}
      data-note={note?.look}
      title={title ?? (note?.text || undefined)}
    >
      {children}
    </Part>
  );
}

/** A text without word timings. */
export const FoundText = memo(function FoundText({ text, ...found }: Found & { text: string }) {
  return found.hits.length === 0 ? text : <Marked parts={pieces(text, found.hits)} {...found} />;
});

interface WordsProps extends Found {
  segment: Segment;
  /** The index of the word being played; -1 for none. */
  spoken: number;
  /** The start of the current unsure word, in seconds. */
  looked: number | undefined;
  /** The segment's notes. */
  notes: readonly RowNote[];
}

/** The words of a segment. */
export const Words = memo(function Words({ segment, spoken, looked, notes, ...found }: WordsProps) {
  const { t } = useTranslation("app");
  const { text, words } = segment;
  if (words.length === 0) {
    const whole = <FoundText text={text} {...found} />;
    return notes.length === 0 ? whole : <Noted note={notes.at(-1)}>{whole}</Noted>;
  }
  const titleOf = (word: Word) => {
    if (word.heard !== undefined) return t("transcript.heard", { heard: word.heard });
    return isUnsure(word) ? t("transcript.unsure") : undefined;
  };
  const places = found.hits.length === 0 && !text.includes("\n") ? [] : wordStarts(segment);
  return words.map((word, index) => {
    const from = places[index];
    const next = places[index + 1];
    const end = (from ?? 0) + word.text.length;
    const note = noteAt(notes, word.start);
    const space =
      from === undefined || next === undefined ? " " : <Marked parts={pieces(text, found.hits, end, next)} {...found} />;
    const look = [
      styles.word,
      index === spoken ? styles.spoken : "",
      isUnsure(word) ? styles.unsure : "",
      word.heard === undefined ? "" : styles.heard,
      // A word that has been corrected since is not highlighted any more.
      isUnsure(word) && word.start === looked ? styles.looked : "",
    ];
    return (
      // The space is outside the word, so that the highlight fits it.
      <span key={`${word.start}:${word.text}`}>
        <Noted
          note={note}
          data-start={word.start}
          data-unsure={isUnsure(word) || undefined}
          className={look.join(" ")}
          title={titleOf(word)}
        >
          {from === undefined ? word.text : <Marked parts={pieces(text, found.hits, from, end)} {...found} />}
        </Noted>
        {note !== undefined && note === noteAt(notes, words[index + 1]?.start) ? <Noted note={note}>{space}</Noted> : space}
      </span>
    );
  });
});

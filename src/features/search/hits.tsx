import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import type { Mark, SearchHit } from "#contract/index.ts";
import { keyOf } from "#machines/search/machine.ts";
import { clock, dateTime, languageName } from "#src/i18n/format.ts";
import { Icon } from "#src/ui/icon.tsx";
import { placeOf } from "./address.ts";
import styles from "./search.module.css";

/** Passages, the best first. Each links to its place in the transcript. */
export function Hits({ hits, busy }: { hits: readonly SearchHit[]; busy: boolean }) {
  const { t } = useTranslation("search");
  return (
    <ol className={styles.hits} aria-label={t("results")} aria-busy={busy || undefined}>
      {hits.map((hit) => (
        <li key={keyOf(hit)} data-row={keyOf(hit)}>
          <Hit hit={hit} />
        </li>
      ))}
    </ol>
  );
}

function Hit({ hit }: { hit: SearchHit }) {
  const { t, i18n } = useTranslation("search");
  const { text, marks, translation, speaker, start, language, date, isTitle } = hit;
  return (
    <>
      <h2 className={styles.where}>
        <PassageLink hit={hit} />
      </h2>
      {isTitle ? null : (
        <p className="measure size-2 reading anywhere" dir="auto">
          <Marked text={text} marks={marks} />
        </p>
      )}
      {translation === null ? null : (
        <p className="measure size-2 reading anywhere" dir="auto">
          <Marked {...translation} />
        </p>
      )}
      <p className="facts">
        {start === null ? null : <span>{clock(start)}</span>}
        {speaker === null ? null : (
          <span>{/^\d+$/.test(speaker) ? t("app:transcript.speakers.numbered", { number: speaker }) : speaker}</span>
        )}
        <time dateTime={date}>{dateTime(date, i18n.language)}</time>
        {language === "auto" ? null : <span>{languageName(language, i18n.language)}</span>}
      </p>
    </>
  );
}

/** A link to the transcript, which plays the passage. */
export function PassageLink({ hit }: { hit: SearchHit }) {
  const { t, i18n } = useTranslation("search");
  const { id, title, start, date, isTitle, marks } = hit;
  const named = title === "" ? dateTime(date, i18n.language) : title;
  return (
    <Link
      to="/transcription/$id"
      params={{ id }}
      search={placeOf(hit)}
      // The transcript scrolls to the passage by itself.
      resetScroll={start === null}
      aria-label={start === null ? undefined : t("play", { title: named, time: clock(start) })}
    >
      {start === null ? null : <Icon name="play" />}
      <span dir="auto">{isTitle && title !== "" ? <Marked text={title} marks={marks} /> : named}</span>
    </Link>
  );
}

/** A text with its matches highlighted. */
export function Marked({ text, marks }: { text: string; marks: readonly Mark[] }) {
  let done = 0;
  const parts = marks.flatMap(([from, to]) => {
    const before = text.slice(done, from);
    done = to;
    return [before, <mark key={from}>{text.slice(from, to)}</mark>];
  });
  return [...parts, text.slice(done)];
}

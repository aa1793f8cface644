import { useSelector } from "@xstate/react";
import { memo, type ReactNode, useSyncExternalStore } from "react";
import { useTranslation } from "react-i18next";
import { selectIsUnderWay, selectSourceLanguage, selectTargetLanguage } from "#machines/dictation/selectors.ts";
import type { CaptionLine, Interim } from "#src/audio/captions.ts";
import { InterimText } from "#src/features/dictation/interim-text.tsx";
import { clock } from "#src/i18n/format.ts";
import { Button } from "#src/ui/button.tsx";
import { useFollow } from "#src/ui/follow.ts";
import { RetryNotice } from "#src/ui/retry-notice.tsx";
import styles from "./live-captions.module.css";
import type { Recorder } from "./recorder-actor.ts";

/** Live captions with the translation beside them. The last recording's captions stay until the next one begins. */
export function LiveCaptions({ recorder: { actor, captions, translateAgain } }: { recorder: Recorder }) {
  const { t } = useTranslation("app");
  const { lines, partial } = useSyncExternalStore(captions.subscribe, captions.get);
  const sourceLanguage = useSelector(actor, selectSourceLanguage);
  const targetLanguage = useSelector(actor, selectTargetLanguage);
  const underWay = useSelector(actor, selectIsUnderWay);
  const nothing = lines.length === 0 && partial === null;
  if (nothing && !underWay) return null;
  return (
    <>
      <div className={`stack gap-5 ${styles.live} ${underWay ? styles.follows : ""} ${targetLanguage ? styles.two : ""}`}>
        <SpokenWords
          title={t("speech.heard")}
          lang={sourceLanguage === "auto" ? undefined : sourceLanguage}
          placeholder={nothing ? t("speech.placeholder") : undefined}
          lines={lines}
          partial={partial}
        />
        {targetLanguage ? <Translation lines={lines} draft={partial?.translation} targetLanguage={targetLanguage} /> : null}
      </div>
      {lines.some(({ translating }) => translating === "failed") ? (
        <RetryNotice label={t("speech.retry")} onRetry={underWay && translateAgain}>
          {t("errors.translationFailed")}
        </RetryNotice>
      ) : null}
    </>
  );
}

interface SpokenWordsProps extends Pick<ColumnProps, "title" | "lang" | "placeholder"> {
  lines: readonly CaptionLine[];
  partial: Interim | null;
}

/** The recognized text and, tentatively, the interim text, which is not announced. */
export function SpokenWords({ lines, partial, ...column }: SpokenWordsProps) {
  return (
    <Column {...column} testId="captions">
      <div aria-live="polite">
        {lines.map(({ start, text }) => (
          <Line key={start} start={start} text={text} />
        ))}
      </div>
      {partial ? (
        <p data-testid="partial">
          <Stamp start={partial.start} />
          <span>
            <InterimText {...partial} />
          </span>
        </p>
      ) : null}
    </Column>
  );
}

interface TranslationProps {
  lines: readonly CaptionLine[];
  /** The translation of the interim text. */
  draft: string | undefined;
  targetLanguage: string;
}

function Translation({ lines, draft, targetLanguage }: TranslationProps) {
  const { t } = useTranslation("app");
  const drafts = [...lines.flatMap((line) => (line.translation === undefined ? [line.draft] : [])), draft];
  const shown = drafts.filter((text) => text !== undefined).join(" ");
  return (
    <Column
      title={t("speech.translated")}
      lang={targetLanguage}
      placeholder={lines.length === 0 && shown === "" ? t("speech.translationPlaceholder") : undefined}
      testId="translation"
    >
      <div aria-live="polite">
        {lines.map(({ start, translation }) =>
          translation === undefined ? null : <Line key={start} start={start} text={translation} />,
        )}
      </div>
      {/* Interim text is not announced. */}
      {shown === "" ? null : <p className="soft">{shown}</p>}
      {lines.some(({ translating }) => translating === "pending") ? <p className="soft">…</p> : null}
    </Column>
  );
}

interface ColumnProps {
  title: string;
  /** The language of the column's content. The placeholder is in the interface language. */
  lang: string | undefined;
  /** The placeholder. */
  placeholder: string | undefined;
  testId: string;
  children: ReactNode;
}

/**
 * A column that follows new lines while the reader is at the end. Otherwise it stays, and a button leads to the end.
 */
function Column({ title, lang, placeholder, testId, children }: ColumnProps) {
  const { t } = useTranslation("dictation");
  const { isBehind, box, catchUp } = useFollow();
  return (
    <div className={styles.column}>
      <h3 className="label">{title}</h3>
      <section
        className={styles.words}
        aria-label={title}
        lang={placeholder ? undefined : lang}
        data-testid={testId}
        // `tabIndex`: the keyboard can scroll it in every browser.
        tabIndex={placeholder ? undefined : 0}
        {...box}
      >
        {children}
        {placeholder ? <p className="soft">{placeholder}</p> : null}
      </section>
      {isBehind ? (
        <Button className={styles.now} icon="down" onClick={catchUp}>
          {t("backToNow")}
        </Button>
      ) : null}
    </div>
  );
}

const Line = memo(function Line({ start, text }: { start: number; text: string }) {
  return (
    <p>
      <Stamp start={start} />
      <span data-spoken={start}>{text}</span>
    </p>
  );
});

/** A time, in seconds from the beginning. */
function Stamp({ start }: { start: number }) {
  return (
    <time className={`fine digits ${styles.stamp}`} dateTime={`PT${start.toFixed(1)}S`}>
      {clock(start)}
    </time>
  );
}

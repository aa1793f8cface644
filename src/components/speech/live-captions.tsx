import { useSelector } from "@xstate/react";
import { memo, useRef, useSyncExternalStore } from "react";
import { useTranslation } from "react-i18next";
import { selectCanStart, selectSourceLanguage, selectTargetLanguage } from "../../../machines/recorder-view.ts";
import type { Recorder } from "../../app/recorder.ts";
import type { CaptionLine } from "../../audio/captions.ts";
import { clock } from "../../i18n/format.ts";
import { Notice } from "../../ui/notice.tsx";
import type { LanguageChoiceValue } from "./language-choice.tsx";
import own from "./live-captions.module.css";
import styles from "./speech.module.css";

/** This near to the end (px) the reader follows. */
const atEndPx = 48;

interface LiveCaptionsProps {
  recorder: Recorder;
  languages: LanguageChoiceValue;
}

/** What is heard, as it is heard, and its translation beside it. */
export function LiveCaptions({ recorder: { actor, captions }, languages }: LiveCaptionsProps) {
  const { t } = useTranslation("app");
  const { lines, partial } = useSyncExternalStore(captions.subscribe, captions.get);
  const nothing = lines.length === 0 && partial === null;
  const isFree = useSelector(actor, selectCanStart) && nothing;
  const begunWith = {
    sourceLanguage: useSelector(actor, selectSourceLanguage),
    targetLanguage: useSelector(actor, selectTargetLanguage),
  };
  const { sourceLanguage, targetLanguage } = isFree ? languages : begunWith;
  const follows = useRef(true);
  return (
    <>
      <section
        className={`${styles.live} ${own.scroll} ${targetLanguage ? styles.two : ""}`}
        aria-label={t("speech.heard")}
        tabIndex={nothing ? undefined : 0}
        // A new function with every render, so that it is called after each: the last line stays in sight of who reads it.
        ref={(box) => {
          if (box && follows.current) box.scrollTop = box.scrollHeight;
        }}
        onScroll={({ currentTarget: { scrollHeight, scrollTop, clientHeight } }) => {
          follows.current = scrollHeight - scrollTop - clientHeight < atEndPx;
        }}
      >
        <div>
          <h3>{t("speech.heard")}</h3>
          <div className={styles.words} lang={sourceLanguage === "auto" ? undefined : sourceLanguage} data-testid="captions">
            <div aria-live="polite">
              {lines.map(({ start, text }) => (
                <Line key={start} start={start} text={text} />
              ))}
            </div>
            {partial ? (
              <p className={styles.partial} data-testid="partial">
                <Stamp start={partial.start} />
                {partial.text}
              </p>
            ) : null}
            {nothing ? <p className={styles.placeholder}>{t("speech.placeholder")}</p> : null}
          </div>
        </div>
        {targetLanguage ? <Translation lines={lines} targetLanguage={targetLanguage} /> : null}
      </section>
      {lines.some(({ translating }) => translating === "failed") ? (
        <Notice tone="danger">{t("errors.translationFailed")}</Notice>
      ) : null}
    </>
  );
}

function Translation({ lines, targetLanguage }: { lines: readonly CaptionLine[]; targetLanguage: string }) {
  const { t } = useTranslation("app");
  return (
    <div>
      <h3>{t("speech.translated")}</h3>
      <div className={styles.words} data-testid="translation">
        <div lang={targetLanguage} aria-live="polite">
          {lines.map(({ start, translation }) =>
            translation === undefined ? null : <Line key={start} start={start} text={translation} />,
          )}
        </div>
        {lines.some(({ translating }) => translating === "pending") ? <p className={styles.translation}>…</p> : null}
        {lines.length === 0 ? <p className={styles.placeholder}>{t("speech.translationPlaceholder")}</p> : null}
      </div>
    </div>
  );
}

const Line = memo(function Line({ start, text }: { start: number; text: string }) {
  return (
    <p>
      <Stamp start={start} />
      {text}
    </p>
  );
});

/** Seconds from the beginning. */
function Stamp({ start }: { start: number }) {
  return (
    <time className={styles.stamp} dateTime={`PT${start.toFixed(1)}S`}>
      {clock(start)}
    </time>
  );
}

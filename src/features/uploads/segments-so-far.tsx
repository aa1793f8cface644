import { useTranslation } from "react-i18next";
import type { Transcription } from "#contract/index.ts";
import { clock } from "#src/i18n/format.ts";
import styles from "./files.module.css";

/** Maximum number of segments, the last ones of a long recording. The transcript's page has all of them. */
const maxShown = 200;

/** The segments as they arrive. */
export function SegmentsSoFar({ transcription, isWorking }: { transcription: Transcription; isWorking: boolean }) {
  const { t } = useTranslation("uploads");
  const { segments } = transcription;
  const left = Math.max(0, segments.length - maxShown);
  if (segments.length === 0) return isWorking ? <p className="fine digits">{t("processing.noText")}</p> : null;
  return (
    <section className="stack gap-4" aria-labelledby="heard-so-far">
      <h2 className="size-4" id="heard-so-far">
        {t(isWorking ? "processing.soFar" : "processing.text")}
      </h2>
      {left > 0 ? <p className="fine digits">{t("processing.before", { count: left })}</p> : null}
      <ol className={`stack measure size-2 reading ${styles.segments}`} data-testid="segments-so-far">
        {segments.slice(left).map(({ start, end, text, speaker, translation }) => (
          <li key={`${start} ${end}`}>
            <time>{clock(start)}</time>
            <div>
              <p>
                {speaker === undefined ? null : (
                  <span className={`label ${styles.speaker}`}>{t("processing.speaker", { name: speaker })}</span>
                )}
                {text}
              </p>
              {translation ? <p className="soft">{translation}</p> : null}
            </div>
          </li>
        ))}
      </ol>
    </section>
  );
}

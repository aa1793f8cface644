import { useSelector } from "@xstate/react";
import { useSyncExternalStore } from "react";
import { useTranslation } from "react-i18next";
import { selectIsSoundFetched, selectSoundFailure } from "#machines/sharing/visit.ts";
import { LinkPage } from "#src/features/sharing/link-page.tsx";
import styles from "#src/features/sharing/visit.module.css";
import { PlayerBar } from "#src/features/transcription/player-bar.tsx";
import { useSpeakerName } from "#src/features/transcription/speaker.tsx";
import { clock, date, dateTime, languageName } from "#src/i18n/format.ts";
import { Button } from "#src/ui/button.tsx";
import { claimFocus } from "#src/ui/claim-focus.ts";
import { Notice } from "#src/ui/notice.tsx";
import pageStyles from "#src/ui/page.module.css";
import { Progress } from "#src/ui/progress.tsx";
import { hearKeys } from "./blob-player.ts";
import type { RecordingVisit, ShownRecording } from "./visit-actor.ts";

const texts = {
  locked: "recording.locked",
  failed: "recording.failed",
  refusal(code: string) {
    if (code === "wrongPassphrase") return "recording.wrongPassphrase";
    return `refusal.${code === "noPassphrase" ? code : "other"}`;
  },
};

/** The page of a link to encrypted audio. This browser decrypts the audio. */
export function RecordingPage({ visit }: { visit: RecordingVisit }) {
  return (
    <LinkPage visit={visit} texts={texts}>
      {(shown) => <Shown visit={visit} shown={shown} />}
    </LinkPage>
  );
}

interface ShownProps {
  visit: RecordingVisit;
  shown: ShownRecording;
}

function Shown({ visit, shown }: ShownProps) {
  const { t, i18n } = useTranslation("sharing-visit");
  const { name, recordedAt, durationSeconds, language, expiresAt, passages, size } = shown;
  const player = useSyncExternalStore(visit.player.subscribe, visit.player.get);
  return (
    <article className={pageStyles.page}>
      <header className={`stack ${styles.head}`}>
        <h1 ref={claimFocus} tabIndex={-1}>
          <bdi>{name}</bdi>
        </h1>
        <p className={`facts size-1 ${styles.facts}`}>
          <time dateTime={recordedAt}>{dateTime(recordedAt, i18n.language)}</time>
          {durationSeconds === null ? null : <span>{t("app:transcript.length", { time: clock(durationSeconds) })}</span>}
          {language === null || language === "auto" ? null : (
            <span>{t("app:transcript.spokenIn", { language: languageName(language, i18n.language) })}</span>
          )}
          {expiresAt === null ? null : <span>{t("until", { date: date(expiresAt, i18n.language) })}</span>}
        </p>
        <p className={`facts size-1 ${styles.facts}`}>{t("recording.encrypted")}</p>
      </header>
      {size === null || player !== null ? null : <Sound visit={visit} />}
      {passages === null ? null : <Passages shown={shown} />}
      {player === null ? null : (
        <div ref={hearKeys(player)}>
          <PlayerBar player={player} durationSeconds={durationSeconds} />
        </div>
      )}
    </article>
  );
}

/** The audio is fetched and decrypted completely before playback. */
function Sound({ visit: { actor, fetched } }: Pick<ShownProps, "visit">) {
  const { t } = useTranslation("sharing-visit");
  const isFetching = useSelector(actor, selectIsSoundFetched);
  const failure = useSelector(actor, selectSoundFailure);
  const fraction = useSyncExternalStore(fetched.subscribe, fetched.get);
  return (
    <>
      {isFetching ? (
        <div className="row gap-3">
          <Progress label={t("recording.fetching")} fraction={fraction} />
          <Button look="quiet" onClick={() => actor.send({ type: "cancel.requested" })}>
            {t("recording.cancel")}
          </Button>
        </div>
      ) : (
        <div className="row gap-3">
          <Button look="primary" icon="play" onClick={() => actor.send({ type: "sound.requested" })}>
            {t("recording.play")}
          </Button>
        </div>
      )}
      {failure === null ? null : (
        <Notice tone="danger">{t(failure === "tampered" ? "recording.tampered" : "recording.soundFailed")}</Notice>
      )}
    </>
  );
}

function Passages({ shown: { passages, language, targetLanguage } }: Pick<ShownProps, "shown">) {
  const { t } = useTranslation("sharing-visit");
  const nameOf = useSpeakerName();
  if (passages === null || passages.length === 0) return <p className={`facts size-1 ${styles.facts}`}>{t("noText")}</p>;
  return (
    <div
      className={`stack gap-4 measure size-2 reading ${styles.passages}`}
      lang={language === null || language === "auto" ? undefined : language}
    >
      {passages.map(({ start, end, speaker, text, translation }) => (
        <div key={start} className={`anywhere ${styles.passage}`}>
          {end > 0 || speaker !== undefined ? (
            <p className={`facts size-1 ${styles.facts}`}>
              {end > 0 ? <time dateTime={`PT${start.toFixed(1)}S`}>{clock(start)}</time> : null}
              {speaker === undefined ? null : <bdi>{nameOf(speaker)}</bdi>}
            </p>
          ) : null}
          <p dir="auto">{text}</p>
          {translation === undefined ? null : (
            <p dir="auto" className="soft" lang={targetLanguage ?? undefined}>
              {translation}
            </p>
          )}
        </div>
      ))}
    </div>
  );
}

import { useSelector } from "@xstate/react";
import { useSyncExternalStore } from "react";
import { useTranslation } from "react-i18next";
import {
  selectIsRecordingBroken,
  selectIsRecordingGone,
  selectIsRecordingLocked,
  selectIsRecordingOpening,
  selectIsRecordingUnlocking,
  selectIsSoundFetched,
  selectRecordingFailure,
  selectRecordingRefusal,
  selectSoundFailure,
} from "#machines/sharing/recording-visit.ts";
import { PlayerBar } from "#src/features/transcription/player-bar.tsx";
import { useSpeakerName } from "#src/features/transcription/speaker.tsx";
import { hearKeys } from "#src/features/vault/keyboard.ts";
import { clock, date, dateTime, languageName } from "#src/i18n/format.ts";
import { Button } from "#src/ui/button.tsx";
import { claimFocus } from "#src/ui/claim-focus.ts";
import { Notice } from "#src/ui/notice.tsx";
import pageStyles from "#src/ui/page.module.css";
import { Progress } from "#src/ui/progress.tsx";
import { LoadingScreen, MessageScreen } from "#src/ui/screens.tsx";
import { PassphrasePage } from "./locked.tsx";
import type { RecordingVisit, ShownRecording } from "./recording-visit-actor.ts";
import styles from "./visit.module.css";

/** The page of a link to encrypted audio: opened in this browser, or what became of it. No search engine is to keep it. */
export function RecordingPage({ visit }: { visit: RecordingVisit }) {
  return (
    <>
      <meta name="robots" content="noindex, nofollow, noarchive" />
      <meta name="referrer" content="no-referrer" />
      <Content visit={visit} />
    </>
  );
}

/** Texts of failures that say more than that it failed. */
const explained = ["network", "tooManyRequests", "tooManyAtOnce"];

function Content({ visit }: { visit: RecordingVisit }) {
  const { t } = useTranslation("visit");
  const { actor } = visit;
  const isOpening = useSelector(actor, selectIsRecordingOpening);
  const isLocked = useSelector(actor, selectIsRecordingLocked);
  const isUnlocking = useSelector(actor, selectIsRecordingUnlocking);
  const refusal = useSelector(actor, selectRecordingRefusal);
  const isGone = useSelector(actor, selectIsRecordingGone);
  const isBroken = useSelector(actor, selectIsRecordingBroken);
  const failure = useSelector(actor, selectRecordingFailure);
  const shown = useSyncExternalStore(visit.shown.subscribe, visit.shown.get);
  if (isOpening) return <LoadingScreen message={t("opening")} />;
  if (isLocked)
    return (
      <PassphrasePage
        title={t("recording.locked")}
        isUnlocking={isUnlocking}
        error={refusal === null ? undefined : t(refusalKey(refusal))}
        onEnter={(passphrase) => actor.send({ type: "passphrase.entered", passphrase })}
      />
    );
  if (isGone) return <MessageScreen title={t("gone")} text={t("goneText")} />;
  if (isBroken) return <MessageScreen title={t("recording.broken")} text={t("recording.brokenText")} />;
  if (failure !== null) {
    return (
      <MessageScreen
        title={t("recording.failed")}
        text={t(`failure.${explained.includes(failure) ? failure : "other"}`)}
        action={
          <Button look="primary" icon="retry" onClick={() => actor.send({ type: "retry.requested" })}>
            {t("retry")}
          </Button>
        }
      />
    );
  }
  return shown === null ? null : <Shown visit={visit} shown={shown} />;
}

const refusalKey = (refusal: string): string => {
  if (refusal === "wrongPassphrase") return "recording.wrongPassphrase";
  return `refusal.${refusal === "noPassphrase" ? refusal : "other"}`;
};

interface ShownProps {
  visit: RecordingVisit;
  shown: ShownRecording;
}

function Shown({ visit, shown }: ShownProps) {
  const { t, i18n } = useTranslation("visit");
  const { name, recordedAt, durationSeconds, language, expiresAt, passages, size } = shown;
  const player = useSyncExternalStore(visit.player.subscribe, visit.player.get);
  return (
    <article className={pageStyles.page}>
      <header className={styles.head}>
        <h1 ref={claimFocus} tabIndex={-1}>
          <bdi>{name}</bdi>
        </h1>
        <p className={styles.facts}>
          <time dateTime={recordedAt}>{dateTime(recordedAt, i18n.language)}</time>
          {durationSeconds === null ? null : <span>{t("app:transcript.length", { time: clock(durationSeconds) })}</span>}
          {language === null || language === "auto" ? null : (
            <span>{t("app:transcript.spokenIn", { language: languageName(language, i18n.language) })}</span>
          )}
          {expiresAt === null ? null : <span>{t("until", { date: date(expiresAt, i18n.language) })}</span>}
        </p>
        <p className={styles.facts}>{t("recording.encrypted")}</p>
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

/** All of it is fetched and decrypted before anything is heard. */
function Sound({ visit: { actor, fetched } }: Pick<ShownProps, "visit">) {
  const { t } = useTranslation("visit");
  const isFetching = useSelector(actor, selectIsSoundFetched);
  const failure = useSelector(actor, selectSoundFailure);
  const fraction = useSyncExternalStore(fetched.subscribe, fetched.get);
  return (
    <>
      {isFetching ? (
        <div className={styles.sound}>
          <Progress label={t("recording.fetching")} fraction={fraction} />
          <Button look="quiet" onClick={() => actor.send({ type: "cancel.requested" })}>
            {t("recording.cancel")}
          </Button>
        </div>
      ) : (
        <div className={styles.sound}>
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
  const { t } = useTranslation("visit");
  const nameOf = useSpeakerName();
  if (passages === null || passages.length === 0) return <p className={styles.facts}>{t("noText")}</p>;
  return (
    <div className={styles.passages} lang={language === null || language === "auto" ? undefined : language}>
      {passages.map(({ start, end, speaker, text, translation }) => (
        <div key={start} className={styles.passage}>
          {end > 0 || speaker !== undefined ? (
            <p className={styles.facts}>
              {end > 0 ? <time dateTime={`PT${start.toFixed(1)}S`}>{clock(start)}</time> : null}
              {speaker === undefined ? null : <bdi>{nameOf(speaker)}</bdi>}
            </p>
          ) : null}
          <p dir="auto">{text}</p>
          {translation === undefined ? null : (
            <p dir="auto" className={styles.translation} lang={targetLanguage ?? undefined}>
              {translation}
            </p>
          )}
        </div>
      ))}
    </div>
  );
}

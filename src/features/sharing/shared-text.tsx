import { useSelector } from "@xstate/react";
import { useCallback, useMemo, useSyncExternalStore } from "react";
import { useTranslation } from "react-i18next";
import { type SharedTranscript, sharedFormats } from "#contract/index.ts";
import { selectIsExporting } from "#machines/transcription/output.ts";
import { offerKeys } from "#src/features/shortcuts/actor.ts";
import { playerActions } from "#src/features/transcription/keyboard.ts";
import { PlayerBar } from "#src/features/transcription/player-bar.tsx";
import { transcriptPreferences } from "#src/features/transcription/preferences.ts";
import type { RowActions } from "#src/features/transcription/row.ts";
import { SegmentList } from "#src/features/transcription/segment-list.tsx";
import { TalkTimes } from "#src/features/transcription/speakers.tsx";
import styles from "#src/features/transcription/transcript.module.css";
import { ViewSwitch } from "#src/features/transcription/view-switch.tsx";
import { useShownTitle } from "#src/features/transcriptions/shown-title.ts";
import { clock, date, dateTime, languageName } from "#src/i18n/format.ts";
import { Button } from "#src/ui/button.tsx";
import { claimFocus } from "#src/ui/claim-focus.ts";
import { Menu } from "#src/ui/menu.tsx";
import pageStyles from "#src/ui/page.module.css";
import ownStyles from "./visit.module.css";
import type { Visit } from "./visit-actor.ts";

interface SharedTextProps {
  visit: Visit;
  transcript: SharedTranscript;
}

/** A shared transcript, to read and to play. */
export function SharedText({ visit, transcript }: SharedTextProps) {
  const title = useShownTitle()({ ...transcript, origin: null });
  const { player } = visit;
  const { hasAudio, segments, targetLanguage, durationSeconds } = transcript;
  const listen = useCallback(
    (page: HTMLElement | null) => (page === null || !hasAudio ? undefined : offerKeys(playerActions(player))),
    [player, hasAudio],
  );
  return (
    <article className={`${pageStyles.page} ${styles.page}`} ref={listen}>
      <header className={`stack ${ownStyles.head}`}>
        <h1 ref={claimFocus} tabIndex={-1}>
          {title}
        </h1>
        <Facts transcript={transcript} />
      </header>
      {transcript.download ? <Files visit={visit} transcript={transcript} /> : null}
      <div className={styles.above}>
        {targetLanguage !== null && segments.length > 0 ? <ViewSwitch /> : null}
        <TalkTimes segments={segments} />
      </div>
      <Text visit={visit} transcript={transcript} />
      {hasAudio ? <PlayerBar player={player} durationSeconds={durationSeconds} /> : null}
    </article>
  );
}

function Facts({ transcript }: Pick<SharedTextProps, "transcript">) {
  const { t, i18n } = useTranslation("sharing-visit");
  const { sharedBy, date: at, durationSeconds, sourceLanguage, targetLanguage, expiresAt } = transcript;
  const name = (code: string) => languageName(code, i18n.language);
  return (
    <p className="facts">
      {sharedBy === "" ? null : (
        <span>
          {t("sharedBy")} <bdi>{sharedBy}</bdi>
        </span>
      )}
      <time dateTime={at}>{dateTime(at, i18n.language)}</time>
      {durationSeconds === null ? null : <span>{t("app:transcript.length", { time: clock(durationSeconds) })}</span>}
      {sourceLanguage === "auto" ? null : <span>{t("app:transcript.spokenIn", { language: name(sourceLanguage) })}</span>}
      {targetLanguage === null ? null : <span>{t("app:transcript.translatedTo", { language: name(targetLanguage) })}</span>}
      {expiresAt === null ? null : <span>{t("until", { date: date(expiresAt, i18n.language) })}</span>}
    </p>
  );
}

function Files({ visit: { output }, transcript }: SharedTextProps) {
  const { t } = useTranslation("app");
  const exporting = useSelector(output, selectIsExporting);
  const { view } = useSyncExternalStore(transcriptPreferences.subscribe, transcriptPreferences.get);
  const content = transcript.targetLanguage !== null && transcript.segments.length > 0 ? view : "both";
  return (
    <div data-open>
      <Menu label={t("transcript.export")} icon="download" busy={exporting}>
        {sharedFormats.map((format) => (
          <Button key={format} look="quiet" onClick={() => output.send({ type: "export.requested", format, content })}>
            {t(`transcript.formats.${format}`)}
          </Button>
        ))}
      </Menu>
    </div>
  );
}

const nothing = () => undefined;

/** Nothing can be edited here, so rows use only `seek`. */
const readOnly = (seek: RowActions["seek"]): RowActions => ({
  ...{ open: nothing, type: nothing, save: nothing, close: nothing, split: nothing, settle: nothing },
  ...{ merge: nothing, name: nothing, answer: nothing, seek },
});

/** The passages, or a text without passages. */
function Text({ visit, transcript }: SharedTextProps) {
  const { t } = useTranslation("app");
  const { view } = useSyncExternalStore(transcriptPreferences.subscribe, transcriptPreferences.get);
  const { player } = visit;
  const actions = useMemo(
    () => readOnly((seconds) => player.actor.send({ type: "seek.requested", seconds, play: true })),
    [player],
  );
  const { segments, sourceLanguage, targetLanguage, hasAudio, text, translatedText } = transcript;
  if (segments.length > 0) {
    return (
      <SegmentList
        reading={visit}
        segments={segments}
        language={sourceLanguage}
        translationLanguage={targetLanguage}
        view={view}
        editable={false}
        seekable={hasAudio}
        actions={actions}
      />
    );
  }
  return (
    <div className="stack starts gap-4">
      {text === "" ? (
        <p className="facts">{t("sharing-visit:noText")}</p>
      ) : (
        <p className="measure size-3 reading as-written" dir="auto">
          {text}
        </p>
      )}
      {translatedText === "" ? null : (
        <section aria-label={t("transcript.view.translation")}>
          <h2>{t("transcript.view.translation")}</h2>
          <p className="measure size-3 reading as-written" dir="auto">
            {translatedText}
          </p>
        </section>
      )}
    </div>
  );
}

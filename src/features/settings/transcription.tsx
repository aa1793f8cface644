import { useSelector } from "@xstate/react";
import { useTranslation } from "react-i18next";
import { selectIsUnavailable } from "#machines/collection/loading.ts";
import { selectData, selectIsLoading } from "#machines/query.ts";
import { selectIsUnavailable as selectHasNoVocabulary } from "#machines/vocabulary/machine.ts";
import { selectIsUseless as selectHasNoVoices } from "#machines/voice-profiles/machine.ts";
import { canTranscribe } from "#src/api/engines.ts";
import { LanguageChoice } from "#src/features/engines/language-choice.tsx";
import { FeedsCard } from "#src/features/feeds/feeds-card.tsx";
import { VocabularyCard } from "#src/features/vocabulary/vocabulary-card.tsx";
import { VoiceProfilesCard } from "#src/features/voice-profiles/voice-profiles-card.tsx";
import { Card, LoadFailure } from "./part.tsx";
import { NotOffered, SectionView } from "./section-view.tsx";
import type { TranscriptionState } from "./states.ts";

/** Defaults for transcriptions (languages, vocabulary, voices), and podcasts that are transcribed automatically. */
export function Transcription({ defaults, feeds, vocabulary, voices }: TranscriptionState) {
  const { t } = useTranslation("settings");
  const known = useSelector(defaults.list, selectData);
  const hasDefaults = known === null || canTranscribe(known.engines);
  const hasFeeds = !useSelector(feeds, selectIsUnavailable);
  const hasVocabulary = !useSelector(vocabulary, selectHasNoVocabulary);
  const hasVoices = !useSelector(voices, selectHasNoVoices);
  return (
    <SectionView name="transcription">
      {hasDefaults ? <DefaultsCard defaults={defaults} /> : null}
      {hasVocabulary ? (
        <Card id="vocabulary" title={t("vocabulary:title")} text={t("vocabulary:text")}>
          <VocabularyCard vocabulary={vocabulary} />
        </Card>
      ) : null}
      {hasVoices ? (
        <Card id="voice-profiles" title={t("voice-profiles:title")} text={t("voice-profiles:text")}>
          <VoiceProfilesCard voices={voices} />
        </Card>
      ) : null}
      {hasFeeds ? (
        <Card id="feeds" title={t("feeds:title")} text={t("feeds:text")}>
          <FeedsCard feeds={feeds} languages={known} />
        </Card>
      ) : null}
      {hasDefaults || hasVocabulary || hasVoices || hasFeeds ? null : <NotOffered />}
    </SectionView>
  );
}

function DefaultsCard({ defaults }: Pick<TranscriptionState, "defaults">) {
  const { t } = useTranslation("settings");
  const known = useSelector(defaults.list, selectData);
  const loading = useSelector(defaults.list, selectIsLoading);
  return (
    <Card id="defaults" title={t("defaults.title")} text={t("defaults.text")}>
      {known === null ? null : (
        <LanguageChoice engines={known.engines} value={known.chosen} onChange={(chosen) => defaults.choose(chosen)} />
      )}
      {known === null && loading ? <p role="status">{t("loading")}</p> : null}
      <LoadFailure query={defaults.list} text={t("defaults.failed")} />
    </Card>
  );
}

import { useSelector } from "@xstate/react";
import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { EnginesAnswer } from "#contract/index.ts";
import {
  type BrowserLanguage,
  type BrowserSpeechActor,
  selectBrowserLanguages,
  selectHasConsent,
  selectIsFinding,
} from "#machines/dictation/browser-speech/machine.ts";
import type { RecorderLanguages } from "#machines/dictation/events.ts";
import { selectFillsPage, selectIsUnderWay } from "#machines/dictation/selectors.ts";
import { deviceModels } from "#src/features/device-models/actor.ts";
import { type ChosenLanguages, chosenLanguages, rememberLanguages } from "#src/features/engines/chosen-languages.ts";
import { LanguageChoice } from "#src/features/engines/language-choice.tsx";
import { SlowModelNotice } from "#src/features/engines/slow-model-notice.tsx";
import { UsageMeter } from "#src/features/subscription/usage-meter.tsx";
import { Files } from "#src/features/uploads/files.tsx";
import { UploadList } from "#src/features/uploads/upload-list.tsx";
import { languageName } from "#src/i18n/format.ts";
import { Page } from "#src/ui/page.tsx";
import { BrowserSpeechNotice } from "./browser-speech-notice.tsx";
import { CaptionsInSight } from "./captions-window.tsx";
import { Dictation } from "./dictation.tsx";
import { EarlierNotices, RecordingNotices } from "./dictation-notices.tsx";
import {
  type ListeningPlace,
  ListeningPlaceChoice,
  listeningPlace,
  OnThisDevice,
  useMissingOnDevice,
} from "./listening-place.tsx";
import { LiveCaptions } from "./live-captions.tsx";
import type { Recorder } from "./recorder-actor.ts";
import { SourceMenu } from "./source-choice.tsx";
import styles from "./stage.module.css";

interface SpeechToTextProps {
  recorder: Recorder;
  engines: EnginesAnswer;
  speech: BrowserSpeechActor;
}

/** Dictation and file uploads. The languages are chosen once for both. */
export function SpeechToText({ recorder, engines, speech }: SpeechToTextProps) {
  const { t, i18n } = useTranslation("app");
  const found = useSelector(speech, selectBrowserLanguages);
  const hasConsent = useSelector(speech, selectHasConsent);
  const isFinding = useSelector(speech, selectIsFinding);
  const [chosen, setChosen] = useState(() => chosenLanguages(engines, { browser: true }));
  const own = found.find(({ code }) => code === chosen.sourceLanguage);
  // The stored choice may come from another browser, or from another version of this one.
  const isLost = chosen.heardBy !== undefined && own === undefined && !isFinding;
  const languages = isLost ? chosenLanguages(engines) : chosen;
  const [place, setPlace] = useState(() => listeningPlace.read() ?? "server");
  const isHere = place === "device";
  const isByBrowser = languages.heardBy !== undefined;
  const targetsHere = deviceModels().targetsFrom(engines, languages.sourceLanguage);
  const here = onDevice(languages, targetsHere);
  const translation = translationOf(engines, here);
  const missingHere = useMissingOnDevice(here.sourceLanguage, translation);
  const needsConsent = isByBrowser && own?.place !== "device" && !hasConsent;
  const next: RecorderLanguages = isHere ? here : languages;
  const choose = (value: ChosenLanguages) => {
    setChosen(value);
    rememberLanguages(value);
  };
  const choosePlace = (value: ListeningPlace) => {
    setPlace(value);
    listeningPlace.keep(value);
  };
  const filesHeading = useRef<HTMLHeadingElement>(null);
  const underWay = useSelector(recorder.actor, selectIsUnderWay);
  const fillsPage = useSelector(recorder.actor, selectFillsPage);
  // Renders the same elements whether a recording is running or not, so that the pressed button keeps the focus.
  return (
    <div className={`${styles.page} ${fillsPage ? styles.speaking : ""}`} data-under-way={underWay || undefined}>
      <Page title={t("speech.title")}>
        <Dictation
          recorder={recorder}
          languages={next}
          missing={isHere ? missingHere : needsConsent ? "dictation:browser.agreeFirst" : null}
        >
          <LanguageChoice
            engines={engines}
            value={languages}
            browser={[
              { label: t("dictation:browser.groupDevice"), codes: codesOf(found, "device") },
              { label: t("dictation:browser.groupVendor"), codes: codesOf(found, "vendor") },
            ].filter(({ codes }) => codes.length > 0)}
            onDevice={isHere ? { targets: targetsHere, none: t("dictation:place.translateLater") } : undefined}
            onChange={choose}
          >
            <ListeningPlaceChoice place={place} onChoose={choosePlace} />
            <SourceMenu recorder={recorder} isByBrowser={isByBrowser && !isHere} />
          </LanguageChoice>
        </Dictation>
        <div className={`stack gap-4 ${styles.rest}`}>
          {isHere ? (
            <OnThisDevice
              language={languages.sourceLanguage}
              translation={translation}
              onChoose={choosePlace}
              onEnglish={(sourceLanguage) => choose({ sourceLanguage, targetLanguage: null })}
            />
          ) : (
            <SlowModelNotice engines={engines} language={languages.sourceLanguage} />
          )}
          {isByBrowser && !isHere ? (
            <BrowserSpeechNotice speech={speech} recorder={recorder} code={languages.sourceLanguage} />
          ) : null}
          <UsageMeter />
          <EarlierNotices recorder={recorder} />
        </div>
        <div className="stack">
          <RecordingNotices recorder={recorder} />
        </div>
        <LiveCaptions recorder={recorder} />
        <CaptionsInSight recorder={recorder} />
        <div className={`stack gap-4 ${styles.rest}`}>
          <Files
            languages={languages}
            maxBytes={engines.limits.maxUploadBytes}
            heading={filesHeading}
            notHere={
              isByBrowser
                ? t("dictation:browser.filesNot", { language: languageName(languages.sourceLanguage, i18n.language) })
                : undefined
            }
          />
          <UploadList heading={filesHeading} />
        </div>
      </Page>
    </div>
  );
}

/**
 * @param targets the languages into which this device translates; no server is involved before the user saves the
 *   recording
 */
const onDevice = ({ sourceLanguage, targetLanguage }: ChosenLanguages, targets: readonly string[]): RecorderLanguages => ({
  sourceLanguage,
  targetLanguage: targets.includes(targetLanguage ?? "") ? targetLanguage : null,
  heardBy: "device",
  staysHere: true,
});

const translationOf = (engines: EnginesAnswer, { sourceLanguage, targetLanguage }: RecorderLanguages) =>
  targetLanguage === null ? undefined : deviceModels().translation(engines, sourceLanguage, targetLanguage);

const codesOf = (found: readonly BrowserLanguage[], where: BrowserLanguage["place"]) =>
  found.filter(({ place }) => place === where).map(({ code }) => code);

import { useSelector } from "@xstate/react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { EnginesAnswer } from "#contract/index.ts";
import {
  type BrowserLanguage,
  type BrowserSpeechActor,
  selectBrowserLanguages,
  selectHasConsent,
  selectIsFinding,
} from "#machines/dictation/browser-speech/machine.ts";
import { chosenLanguages, rememberLanguages } from "#src/features/engines/chosen-languages.ts";
import { LanguageChoice } from "#src/features/engines/language-choice.tsx";
import { SlowModelNotice } from "#src/features/engines/slow-model-notice.tsx";
import { UsageMeter } from "#src/features/subscription/usage-meter.tsx";
import { Files } from "#src/features/uploads/files.tsx";
import { languageName } from "#src/i18n/format.ts";
import { Page } from "#src/ui/page.tsx";
import { BrowserSpeechNotice } from "./browser-speech-notice.tsx";
import { Dictation } from "./dictation.tsx";
import type { Recorder } from "./recorder-actor.ts";

interface SpeechToTextProps {
  recorder: Recorder;
  engines: EnginesAnswer;
  speech: BrowserSpeechActor;
}

/** Dictation and file uploads, with the languages chosen once for both. */
export function SpeechToText({ recorder, engines, speech }: SpeechToTextProps) {
  const { t, i18n } = useTranslation("app");
  const found = useSelector(speech, selectBrowserLanguages);
  const hasConsent = useSelector(speech, selectHasConsent);
  const isFinding = useSelector(speech, selectIsFinding);
  const [chosen, setChosen] = useState(() => chosenLanguages(engines, { browser: true }));
  const own = found.find(({ code }) => code === chosen.sourceLanguage);
  // Another browser, or another version of it, may have been asked the last time.
  const isLost = chosen.heardBy !== undefined && own === undefined && !isFinding;
  const languages = isLost ? chosenLanguages(engines) : chosen;
  const isByBrowser = languages.heardBy !== undefined;
  return (
    <Page title={t("speech.title")} lead={t("speech.lead")}>
      <LanguageChoice
        engines={engines}
        value={languages}
        browser={[
          { label: t("dictation:browser.groupDevice"), codes: codesOf(found, "device") },
          { label: t("dictation:browser.groupVendor"), codes: codesOf(found, "vendor") },
        ].filter(({ codes }) => codes.length > 0)}
        onChange={(value) => {
          setChosen(value);
          rememberLanguages(value);
        }}
      />
      <SlowModelNotice engines={engines} language={languages.sourceLanguage} />
      {isByBrowser ? <BrowserSpeechNotice speech={speech} recorder={recorder} code={languages.sourceLanguage} /> : null}
      <UsageMeter />
      <Dictation recorder={recorder} languages={languages} needsConsent={isByBrowser && own?.place !== "device" && !hasConsent} />
      <Files
        languages={languages}
        maxBytes={engines.limits.maxUploadBytes}
        notHere={
          isByBrowser
            ? t("dictation:browser.filesNot", { language: languageName(languages.sourceLanguage, i18n.language) })
            : undefined
        }
      />
    </Page>
  );
}

const codesOf = (found: readonly BrowserLanguage[], where: BrowserLanguage["place"]) =>
  found.filter(({ place }) => place === where).map(({ code }) => code);

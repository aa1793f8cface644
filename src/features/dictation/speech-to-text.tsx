import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { EnginesAnswer } from "#contract/index.ts";
import { chosenLanguages, rememberLanguages } from "#src/features/engines/chosen-languages.ts";
import { LanguageChoice } from "#src/features/engines/language-choice.tsx";
import { SlowModelNotice } from "#src/features/engines/slow-model-notice.tsx";
import { UsageMeter } from "#src/features/subscription/usage-meter.tsx";
import { Files } from "#src/features/uploads/files.tsx";
import { Page } from "#src/ui/page.tsx";
import { Dictation } from "./dictation.tsx";
import type { Recorder } from "./recorder-actor.ts";

interface SpeechToTextProps {
  recorder: Recorder;
  engines: EnginesAnswer;
}

/** Dictation and file uploads, with the languages chosen once for both. */
export function SpeechToText({ recorder, engines }: SpeechToTextProps) {
  const { t } = useTranslation("app");
  const [languages, setLanguages] = useState(() => chosenLanguages(engines));
  return (
    <Page title={t("speech.title")} lead={t("speech.lead")}>
      <LanguageChoice
        engines={engines}
        value={languages}
        onChange={(value) => {
          setLanguages(value);
          rememberLanguages(value);
        }}
      />
      <SlowModelNotice engines={engines} language={languages.sourceLanguage} />
      <UsageMeter />
      <Dictation recorder={recorder} languages={languages} />
      <Files languages={languages} maxBytes={engines.limits.maxUploadBytes} />
    </Page>
  );
}

import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { EnginesAnswer } from "../../api/contract/index.ts";
import { chosenLanguages, rememberLanguages } from "../../app/chosen-languages.ts";
import type { Recorder } from "../../app/create-recorder.ts";
import { Page } from "../../ui/page.tsx";
import { Dictation } from "./dictation.tsx";
import { Files } from "./files.tsx";
import { LanguageChoice } from "./language-choice.tsx";
import { UsageMeter } from "./usage-meter.tsx";

interface SpeechToTextProps {
  recorder: Recorder;
  engines: EnginesAnswer;
}

/** Speaking and dropping files, both in the languages that are chosen once above them. */
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
      <UsageMeter />
      <Dictation recorder={recorder} languages={languages} />
      <Files languages={languages} maxBytes={engines.limits.maxUploadBytes} />
    </Page>
  );
}

import { useId } from "react";
import { useTranslation } from "react-i18next";
import type { LanguageChoiceValue } from "#src/features/engines/language-choice.tsx";
import { MicrophoneChoice } from "./microphone-choice.tsx";
import { RecordControls } from "./record-controls.tsx";
import type { Recorder } from "./recorder-actor.ts";
import { SourceChoice } from "./source-choice.tsx";
import styles from "./stage.module.css";

interface DictationProps {
  recorder: Recorder;
  /** For the next recording; the current one keeps its options. */
  languages: LanguageChoiceValue;
  /** The person has not agreed yet that the browser's vendor may get the sound. */
  needsConsent: boolean;
}

/** Dictation: one button. While somebody speaks, all of it is one bar. */
export function Dictation({ recorder, languages, needsConsent }: DictationProps) {
  const { t } = useTranslation("app");
  const heading = useId();
  return (
    <section className={styles.stage} aria-labelledby={heading}>
      <div className={styles.stageHead}>
        <h2 id={heading}>{t("speech.dictation")}</h2>
        <MicrophoneChoice />
      </div>
      <SourceChoice recorder={recorder} isByBrowser={languages.heardBy !== undefined} />
      <RecordControls recorder={recorder} languages={languages} needsConsent={needsConsent} />
    </section>
  );
}

import { useId } from "react";
import { useTranslation } from "react-i18next";
import type { LanguageChoiceValue } from "#src/features/engines/language-choice.tsx";
import styles from "#src/features/uploads/speech-to-text.module.css";
import { EarlierNotices, RecordingNotices } from "./dictation-notices.tsx";
import { LiveCaptions } from "./live-captions.tsx";
import { MicrophoneChoice } from "./microphone-choice.tsx";
import { RecordControls } from "./record-controls.tsx";
import type { Recorder } from "./recorder-actor.ts";

interface DictationProps {
  recorder: Recorder;
  /** For the next recording; the current one keeps its options. */
  languages: LanguageChoiceValue;
  /** The person has not agreed yet that the browser's vendor may get the sound. */
  needsConsent: boolean;
}

/** Dictation: one button, and live captions. */
export function Dictation({ recorder, languages, needsConsent }: DictationProps) {
  const { t } = useTranslation("app");
  const heading = useId();
  return (
    <section className={styles.stage} aria-labelledby={heading}>
      <h2 id={heading}>{t("speech.dictation")}</h2>
      <EarlierNotices recorder={recorder} />
      <RecordControls recorder={recorder} languages={languages} needsConsent={needsConsent} />
      <MicrophoneChoice />
      <RecordingNotices recorder={recorder} />
      <LiveCaptions recorder={recorder} languages={languages} />
    </section>
  );
}

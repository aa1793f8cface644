import { type ReactNode, useId } from "react";
import { useTranslation } from "react-i18next";
import type { RecorderLanguages } from "#machines/dictation/events.ts";
import { RecordControls } from "./record-controls.tsx";
import type { Recorder } from "./recorder-actor.ts";

interface DictationProps {
  recorder: Recorder;
  /** For the next recording; the current one keeps its options. */
  languages: RecorderLanguages;
  /** The key of the text that says what is missing before it can start; null: nothing. */
  missing: string | null;
  /** The choices for the next recording. */
  children: ReactNode;
}

/** Dictation: one button, and its options beside it, or what is being recorded. */
export function Dictation({ recorder, languages, missing, children }: DictationProps) {
  const { t } = useTranslation("app");
  const heading = useId();
  return (
    <section className="card pad-wide" aria-labelledby={heading}>
      <h2 id={heading} className="visuallyHidden">
        {t("speech.dictation")}
      </h2>
      <RecordControls recorder={recorder} languages={languages} missing={missing}>
        {children}
      </RecordControls>
    </section>
  );
}

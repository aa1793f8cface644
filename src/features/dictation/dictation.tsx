import { type ReactNode, useId } from "react";
import { useTranslation } from "react-i18next";
import type { RecorderLanguages } from "#machines/dictation/events.ts";
import { RecordControls } from "./record-controls.tsx";
import type { Recorder } from "./recorder-actor.ts";

interface DictationProps {
  recorder: Recorder;
  /** Options for the next recording. The current one keeps its own. */
  languages: RecorderLanguages;
  /** The text's key for what is missing before a recording can start; null: nothing. */
  missing: string | null;
  /** The choices for the next recording. */
  children: ReactNode;
}

/** Dictation: the record button, and beside it the options or the current recording. */
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

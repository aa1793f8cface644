import type { MouseEvent } from "react";
import { useTranslation } from "react-i18next";
import type { SpeakerSuggestion } from "#contract/index.ts";
import { Button } from "#src/ui/button.tsx";
import styles from "./segment.module.css";
import { useSpeakerName } from "./speaker.tsx";

interface SuggestionProps {
  suggestion: SpeakerSuggestion;
  onAnswer(suggestion: SpeakerSuggestion, yes: boolean): void;
}

/** Suggests a speaker's name by the voices that the user has named. Asks, and never sets the name by itself. */
export function Suggestion({ suggestion, onAnswer }: SuggestionProps) {
  const { t } = useTranslation("app");
  const nameOf = useSpeakerName();
  const names = { speaker: nameOf(suggestion.speaker), name: suggestion.name };
  // The question disappears with the answer, so the focus moves to the speaker.
  const answer = (yes: boolean) => (event: MouseEvent) => {
    event.currentTarget.closest("li")?.querySelector<HTMLElement>("[data-speaker]")?.focus({ preventScroll: true });
    onAnswer(suggestion, yes);
  };
  return (
    <span className={styles.suggestion}>
      {t("transcript.speakers.suggested", { name: suggestion.name })}
      <Button look="quiet" aria-label={t("transcript.speakers.yesLabel", names)} onClick={answer(true)}>
        {t("transcript.speakers.yes")}
      </Button>
      <Button look="quiet" aria-label={t("transcript.speakers.noLabel", names)} onClick={answer(false)}>
        {t("transcript.speakers.no")}
      </Button>
    </span>
  );
}

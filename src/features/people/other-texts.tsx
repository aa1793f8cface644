import type { MouseEvent } from "react";
import { useTranslation } from "react-i18next";
import type { OtherText, Segment } from "#contract/index.ts";
import { Button } from "#src/ui/button.tsx";
import styles from "./other-texts.module.css";

interface OtherTextsProps {
  segment: Segment;
  /** The start of the passage. */
  time: string;
  editable: boolean;
  onSettle(other: OtherText, take: boolean): void;
}

/** Texts that other users have written for a passage while it was edited. The user takes or dismisses each. */
export function OtherTexts({ segment, time, editable, onSettle }: OtherTextsProps) {
  const { t } = useTranslation("app");
  const settle = ({ currentTarget }: MouseEvent<HTMLElement>, other: OtherText, take: boolean) => {
    // The button disappears, so the passage takes the focus.
    currentTarget.closest("[data-index]")?.querySelector<HTMLElement>("[data-edit]")?.focus();
    onSettle(other, take);
  };
  if (segment.others === undefined || segment.others.length === 0) return null;
  return (
    <ul className={styles.others} aria-label={t("transcript.others.label", { time })}>
      {segment.others.map((other) => (
        <li key={other.id} className={styles.other}>
          <p className={`note anywhere ${styles.by}`}>{t("transcript.others.by", { email: other.by })}</p>
          <p dir="auto">{other.text}</p>
          {editable ? (
            <div className={`row ${styles.actions}`}>
              <Button
                aria-label={t("transcript.others.takeWhich", { email: other.by, time })}
                onClick={(event) => settle(event, other, true)}
              >
                {t("transcript.others.take")}
              </Button>
              <Button
                look="quiet"
                aria-label={t("transcript.others.dropWhich", { email: other.by, time })}
                onClick={(event) => settle(event, other, false)}
              >
                {t("transcript.others.drop")}
              </Button>
            </div>
          ) : null}
        </li>
      ))}
    </ul>
  );
}

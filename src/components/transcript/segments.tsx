import type { KeyboardEvent, MouseEvent } from "react";
import { useTranslation } from "react-i18next";
import type { Segment } from "../../api/contract/index.ts";
import { indexAt, type PositionStore } from "../../audio/position.ts";
import { SegmentRow } from "./segment.tsx";
import styles from "./segments.module.css";

interface SegmentsProps {
  segments: readonly Segment[];
  position: PositionStore;
  /** Codes of the languages that were spoken and translated to. */
  language: string;
  translationLanguage: string | null;
  /** There is audio to go to; and a finished text to correct. */
  seekable: boolean;
  editable: boolean;
  onSeek(seconds: number): void;
  onEdit(index: number, text: string): void;
}

/** The start of the word `step` words away from the one being spoken, in seconds. */
function neighbour(segments: readonly Segment[], seconds: number, step: 1 | -1): number | undefined {
  const words = segments.flatMap((segment) => segment.words);
  return words[Math.max(0, indexAt(words, seconds) + step)]?.start;
}

/**
 * The transcript. A click on a word goes there; with the focus on a segment's time, the arrow keys go word by word.
 */
export function Segments({ segments, position, seekable, onSeek, ...row }: SegmentsProps) {
  const { t } = useTranslation("app");
  const onClick = (event: MouseEvent) => {
    const start = event.target instanceof Element ? event.target.closest<HTMLElement>("[data-start]")?.dataset.start : undefined;
    if (start !== undefined && seekable) onSeek(Number(start));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : undefined;
    if (step === undefined || !seekable || event.target instanceof HTMLTextAreaElement) return;
    const start = neighbour(segments, position.get(), step);
    if (start === undefined) return;
    event.preventDefault();
    onSeek(start);
  };
  return (
    <ol
      className={`${styles.segments} ${row.translationLanguage ? styles.translated : ""}`}
      aria-label={t("transcript.textLabel")}
      onClick={onClick}
      onKeyDown={onKeyDown}
    >
      {segments.map((segment, index) => (
        <SegmentRow
          key={segment.start}
          segment={segment}
          index={index}
          position={position}
          until={segments[index + 1]?.start ?? Number.POSITIVE_INFINITY}
          seekable={seekable}
          onSeek={onSeek}
          {...row}
        />
      ))}
    </ol>
  );
}

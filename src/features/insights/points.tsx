import { useTranslation } from "react-i18next";
import type { Point, Span } from "#contract/index.ts";
import { clock } from "#src/i18n/format.ts";
import { Icon } from "#src/ui/icon.tsx";
import styles from "./insights.module.css";

/** Plays or shows the places that a result refers to. */
export interface Playing {
  /** Plays from this second, or shows the place if there is no audio. */
  play(seconds: number): void;
  hasAudio: boolean;
}

/** Buttons for the places that support a sentence. Each plays its place. */
export function Times({ spans, playing, whole = false }: { spans: readonly Span[]; playing: Playing; whole?: boolean }) {
  const { t } = useTranslation("insights");
  return (
    <span className={styles.times}>
      {spans.map(([start, end]) => {
        const time = clock(start);
        return (
          <button
            key={start}
            type="button"
            className={styles.time}
            aria-label={t(playing.hasAudio ? "playFrom" : "showAt", { time })}
            onClick={() => playing.play(start)}
          >
            {playing.hasAudio ? <Icon name="play" /> : null}
            {whole ? `${time}–${clock(end)}` : time}
          </button>
        );
      })}
    </span>
  );
}

/** Sentences, each with the times that support it. The model's text is shown as plain text. */
export function Sentences({ points, playing }: { points: readonly Point[]; playing: Playing }) {
  return groupsOf(points).map(({ heading, own }) => (
    <div key={`${heading ?? ""} ${own[0]?.text ?? ""}`} className="stack gap-2 measure">
      {heading === undefined ? null : <h4 dir="auto">{heading}</h4>}
      <ul className="bullets stack gap-2 anywhere">
        {own.map((point) => (
          <li key={point.text} dir="auto">
            {point.text} <Times spans={point.spans} playing={playing} />
          </li>
        ))}
      </ul>
    </div>
  ));
}

/** Groups points by heading. A point without a heading belongs to the previous group. */
function groupsOf(points: readonly Point[]): { heading: string | undefined; own: Point[] }[] {
  const groups: { heading: string | undefined; own: Point[] }[] = [];
  for (const point of points) {
    const last = groups.at(-1);
    if (last === undefined || (point.heading !== undefined && point.heading !== last.heading)) {
      groups.push({ heading: point.heading, own: [point] });
    } else last.own.push(point);
  }
  return groups;
}

/** Chapters in order, each with its start and end. */
export function Chapters({ points, playing }: { points: readonly Point[]; playing: Playing }) {
  return (
    <ol className="stack gap-2 anywhere">
      {points.map((point) => (
        <li key={`${point.spans[0]?.[0] ?? 0} ${point.text}`} dir="auto">
          <Times spans={point.spans} playing={playing} whole /> <span>{point.text}</span>
        </li>
      ))}
    </ol>
  );
}

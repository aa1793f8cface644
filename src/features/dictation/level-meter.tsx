import { useSyncExternalStore } from "react";
import { useTranslation } from "react-i18next";
import type { ReadableStore } from "#src/browser/store.ts";
import { clock } from "#src/i18n/format.ts";
import styles from "./level-meter.module.css";

/** Bars of the most recent levels, the newest at the end. */
const bars = Array.from({ length: 28 }, (_, index) => index);
/** Levels for each new bar. The microphone reports fifty levels a second. */
const perBar = 4;
/** Minimum height of a bar. */
const least = 0.12;

/**
 * Draws the level without rendering, because it changes fifty times a second. With reduced motion, the bars don't move:
 * the number of full bars shows the level in steps of a fifth.
 */
function follow(store: ReadableStore<number>) {
  return (element: HTMLElement | null) => {
    if (element === null) return;
    const calm = matchMedia("(prefers-reduced-motion: reduce)");
    const [meter, ...rest] = element.children;
    const drawing = rest.filter((bar): bar is HTMLElement => bar instanceof HTMLElement);
    const last: number[] = drawing.map(() => 0);
    let heard = 0;
    let sum = 0;
    const draw = () => {
      const level = store.get();
      const inSteps = Math.ceil(level * 5) / 5;
      if (meter instanceof HTMLMeterElement) meter.value = inSteps;
      sum += level;
      heard += 1;
      if (heard % perBar !== 0) return;
      last.push(sum / perBar);
      last.shift();
      sum = 0;
      for (const [index, bar] of drawing.entries()) {
        const isFull = index < inSteps * drawing.length;
        const height = calm.matches ? Number(isFull) : (last[index] ?? 0);
        bar.style.transform = `scaleY(${Math.max(least, height).toFixed(2)})`;
      }
    };
    draw();
    return store.subscribe(draw);
  };
}

/** The recording's length so far. */
export function Clock({ seconds }: { seconds: ReadableStore<number> }) {
  const whole = useSyncExternalStore(seconds.subscribe, () => Math.floor(seconds.get()));
  return <span>{clock(whole)}</span>;
}

/** The sound level, from 0 to 1. @param label names the source; default: the microphone */
export function LevelMeter({ level, label }: { level: ReadableStore<number>; label?: string | undefined }) {
  const { t } = useTranslation("app");
  return (
    <span className={styles.level} ref={follow(level)}>
      <meter className="visuallyHidden" aria-label={label ?? t("speech.level")} />
      {bars.map((bar) => (
        <i key={bar} aria-hidden="true" />
      ))}
    </span>
  );
}

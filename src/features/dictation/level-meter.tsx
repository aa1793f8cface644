import { useTranslation } from "react-i18next";
import type { ReadableStore } from "#src/browser/store.ts";
import styles from "#src/features/uploads/speech-to-text.module.css";

/** Share of the level that each bar shows. */
const bars = { outer: 0.45, left: 0.75, middle: 1, right: 0.7, last: 0.4 } as const;
const shares: readonly number[] = Object.values(bars);
/** Minimum height of a bar. */
const least = 0.12;

/** Draws the level without rendering: it changes fifty times a second. With reduced motion it moves in steps of a fifth. */
function follow(store: ReadableStore<number>) {
  return (element: HTMLElement | null) => {
    if (element === null) return;
    const calm = matchMedia("(prefers-reduced-motion: reduce)");
    const draw = () => {
      const level = Math.ceil(store.get() * 5) / 5;
      const drawn = calm.matches ? level : store.get();
      const [meter, ...drawing] = element.children;
      if (meter instanceof HTMLMeterElement) meter.value = level;
      for (const [i, bar] of drawing.entries()) {
        const share = Math.max(least, drawn * (shares[i] ?? 1));
        if (bar instanceof HTMLElement) bar.style.transform = `scaleY(${share.toFixed(2)})`;
      }
    };
    draw();
    return store.subscribe(draw);
  };
}

export function LevelMeter({ level }: { level: ReadableStore<number> }) {
  const { t } = useTranslation("app");
  return (
    <span className={styles.level} ref={follow(level)}>
      <meter className="visuallyHidden" aria-label={t("speech.level")} />
      {Object.keys(bars).map((name) => (
        <i key={name} aria-hidden="true" />
      ))}
    </span>
  );
}

import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "#src/ui/button.tsx";
import { Chart } from "./chart.tsx";
import styles from "./machines-page.module.css";
import { type ChartState, valueText } from "./watched-chart.ts";
import type { Happening, WatchedMachine } from "./watched-machines.ts";

/** One machine: its current state, or that after any event in its history. */
export function MachineView({ machine, onReplay }: { machine: WatchedMachine; onReplay(number: number): void }) {
  const { t } = useTranslation("inspection");
  const { happenings } = machine;
  const [wanted, want] = useState<number>();
  const found = happenings.findIndex(({ id }) => id === wanted);
  const at = found < 0 ? happenings.length - 1 : found;
  const shown = happenings[at] ?? happenings[0];
  const go = (to: number) => want(to >= happenings.length - 1 ? undefined : happenings[Math.max(0, to)]?.id);
  const { replay } = shown;
  return (
    <section className={styles.machine} aria-label={machine.name}>
      <div className={styles.controls}>
        <div className={styles.bar}>
          <Button onClick={() => go(0)}>{t("first")}</Button>
          <Button onClick={() => go(at - 1)}>{t("back")}</Button>
          <Button onClick={() => go(at + 1)}>{t("forward")}</Button>
          <Button onClick={() => want(undefined)}>{t("latest")}</Button>
          {replay === undefined || !machine.isRunning ? null : (
            <Button look="primary" onClick={() => onReplay(replay)}>
              {t("again")}
            </Button>
          )}
        </div>
        <p role="status">
          {t("step", { at: at + 1, all: happenings.length })} {shown.type || t("made")} → {valueText(shown.value, machine.chart)}
        </p>
      </div>
      <h2>{t("states")}</h2>
      <Chart chart={machine.chart} value={shown.value} />
      <div className={styles.details}>
        <Data title={t("event")} value={shown.event} />
        <Data title={t("context")} value={shown.context} />
      </div>
      <h2>{t("events")}</h2>
      <ol className={styles.events}>
        {happenings.map((happening) => (
          <li key={happening.id}>
            <EventLine
              happening={happening}
              chart={machine.chart}
              isShown={happening === shown}
              onChoose={() => want(happening.id)}
            />
          </li>
        ))}
      </ol>
    </section>
  );
}

function Data({ title, value }: { title: string; value: unknown }) {
  return (
    <div>
      <h2>{title}</h2>
      <pre className={styles.data}>{JSON.stringify(value, null, 2)}</pre>
    </div>
  );
}

interface EventLineProps {
  happening: Happening;
  chart: ChartState;
  isShown: boolean;
  onChoose(): void;
}

function EventLine({ happening, chart, isShown, onChoose }: EventLineProps) {
  const { t, i18n } = useTranslation("inspection");
  const time = new Intl.DateTimeFormat(i18n.language, { timeStyle: "medium" }).format(happening.at);
  return (
    <button type="button" className={styles.choice} aria-current={isShown || undefined} onClick={onChoose}>
      <strong>{happening.type || t("made")}</strong>
      <span>
        {time} · {valueText(happening.value, chart)}
      </span>
    </button>
  );
}

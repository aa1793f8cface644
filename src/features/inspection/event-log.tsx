import { memo } from "react";
import { useTranslation } from "react-i18next";
import type { ChartState, Happening, WatchedMachine } from "#machines/inspection/rules.ts";
import { happeningText } from "./lettering.ts";
import styles from "./machines-page.module.css";
import { valueText } from "./watched-chart.ts";

interface EventLogProps {
  machine: WatchedMachine;
  /** The event that is shown. */
  shown: Happening;
  /** Searched for, in lower case: events without it are left out. */
  term: string;
  onChoose(step: number): void;
}

/** All that a machine has heard, the newest first, beside its diagram. */
export function EventLog({ machine, shown, term, onChoose }: EventLogProps) {
  const { t } = useTranslation("inspection");
  const found = machine.happenings.filter(({ type }) => type.toLowerCase().includes(term));
  // A search for a state's name leaves the log as it is.
  const listed = found.length > 0 ? found : machine.happenings;
  return (
    <section className={styles.log} aria-labelledby="event-log">
      <h2 id="event-log">{t("events")}</h2>
      <ol className={styles.events} reversed>
        {listed.toReversed().map((happening) => (
          <EventLine
            key={happening.id}
            happening={happening}
            chart={machine.chart}
            isShown={happening === shown}
            onChoose={onChoose}
          />
        ))}
      </ol>
    </section>
  );
}

interface EventLineProps {
  happening: Happening;
  chart: ChartState;
  isShown: boolean;
  onChoose(step: number): void;
}

/** Not drawn anew when another event comes: there may be hundreds. */
const EventLine = memo(function EventLine({ happening, chart, isShown, onChoose }: EventLineProps) {
  const { t, i18n } = useTranslation("inspection");
  const time = new Intl.DateTimeFormat(i18n.language, { timeStyle: "medium" }).format(happening.at);
  return (
    <li>
      <button type="button" className={styles.choice} aria-current={isShown || undefined} onClick={() => onChoose(happening.id)}>
        <strong>{happeningText(happening, chart, t)}</strong>
        <span>
          {time} · {valueText(happening.value, chart)}
        </span>
      </button>
    </li>
  );
});

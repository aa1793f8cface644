import { useSelector } from "@xstate/react";
import { memo, useCallback, useState } from "react";
import { useTranslation } from "react-i18next";
import type { ChartState, Happening, WatchedMachine } from "#machines/inspection/rules.ts";
import { selectDrawing, selectLayoutError, selectStep, selectTerm } from "#machines/inspection/selectors.ts";
import { Button } from "#src/ui/button.tsx";
import { TextField } from "#src/ui/field.tsx";
import { RetryNotice } from "#src/ui/retry-notice.tsx";
import { Chart } from "./chart.tsx";
import { Diagram } from "./diagram.tsx";
import { happeningText } from "./lettering.ts";
import styles from "./machines-page.module.css";
import type { Inspector } from "./open-machines.ts";
import { valueText } from "./watched-chart.ts";

/** One machine, in its current state or in that after any event of its history. */
export function MachineView({ inspector, machine }: { inspector: Inspector; machine: WatchedMachine }) {
  const { t } = useTranslation("inspection");
  const { actor } = inspector;
  const at = useSelector(actor, selectStep);
  const term = useSelector(actor, selectTerm);
  const [isList, showList] = useState(false);
  const shown = machine.happenings[at] ?? machine.happenings[0];
  const choose = useCallback((step: number | undefined) => actor.send({ type: "step.chosen", step }), [actor]);
  return (
    <section className="stack" aria-label={machine.name}>
      <Toolbar inspector={inspector} machine={machine} at={at} isList={isList} showList={showList} />
      <div className={styles.pinned}>
        <div className={styles.picture}>
          {isList ? (
            // biome-ignore lint/a11y/noNoninteractiveTabindex: it is longer than its place, and scrolled by the arrow keys.
            <section className={styles.list} aria-label={t("list")} tabIndex={0}>
              <Chart chart={machine.chart} value={shown.value} />
            </section>
          ) : (
            <Picture inspector={inspector} machine={machine} shown={shown} />
          )}
        </div>
        <EventLog machine={machine} shown={shown} term={term} onChoose={choose} />
      </div>
      <div className={`columns ${styles.details}`}>
        <Data title={t("event")} value={shown.event} />
        <Data title={t("context")} value={shown.context} />
      </div>
    </section>
  );
}

function Picture({ inspector: { actor }, machine, shown }: { inspector: Inspector; machine: WatchedMachine; shown: Happening }) {
  const { t } = useTranslation("inspection");
  const drawing = useSelector(actor, selectDrawing);
  const error = useSelector(actor, selectLayoutError);
  const term = useSelector(actor, selectTerm);
  const toggle = useCallback(
    (path: string, isUnfolded: boolean) => actor.send({ type: "state.toggled", path, isUnfolded }),
    [actor],
  );
  if (drawing === undefined) {
    if (error === null) return <p role="status">{t("drawing")}</p>;
    return (
      <RetryNotice label={t("drawAgain")} onRetry={() => actor.send({ type: "layout.requested" })}>
        {t("notDrawn")}
      </RetryNotice>
    );
  }
  return (
    <Diagram
      key={machine.sessionId}
      name={machine.name}
      drawing={drawing}
      value={shown.value}
      taken={shown.taken}
      term={term}
      onToggle={toggle}
    />
  );
}

interface ToolbarProps {
  inspector: Inspector;
  machine: WatchedMachine;
  /** Index of the selected event. */
  at: number;
  isList: boolean;
  showList(isList: boolean): void;
}

function Toolbar({ inspector: { actor, replay }, machine, at, isList, showList }: ToolbarProps) {
  const { t } = useTranslation("inspection");
  const { happenings } = machine;
  const shown = happenings[at] ?? happenings[0];
  const choose = (step: number | undefined) => actor.send({ type: "step.chosen", step });
  const go = (to: number) => choose(to >= happenings.length - 1 ? undefined : happenings[Math.max(0, to)]?.id);
  const again = shown.replay;
  return (
    <div className="stack gap-2">
      <div className="row">
        <fieldset className={styles.views} aria-label={t("view")}>
          <Button look="quiet" aria-pressed={!isList} onClick={() => showList(false)}>
            {t("diagram")}
          </Button>
          <Button look="quiet" aria-pressed={isList} onClick={() => showList(true)}>
            {t("list")}
          </Button>
        </fieldset>
        <Button onClick={() => actor.send({ type: "everything.opened" })}>{t("openAll")}</Button>
        <Button onClick={() => actor.send({ type: "everything.folded" })}>{t("onlyActive")}</Button>
        <div className={styles.search}>
          <TextField
            label={t("search")}
            labelHidden
            placeholder={t("search")}
            type="search"
            onChange={({ target }) => actor.send({ type: "search.changed", term: target.value })}
          />
        </div>
      </div>
      <div className="row">
        <Button onClick={() => go(0)}>{t("first")}</Button>
        <Button onClick={() => go(at - 1)}>{t("back")}</Button>
        <Button onClick={() => go(at + 1)}>{t("forward")}</Button>
        <Button onClick={() => choose(undefined)}>{t("latest")}</Button>
        {again === undefined || !machine.isRunning ? null : (
          <Button look="primary" onClick={() => replay(machine.sessionId, again)}>
            {t("again")}
          </Button>
        )}
        <p role="status" className={`fine anywhere ${styles.step}`}>
          {t("step", { at: at + 1, all: happenings.length })} {happeningText(shown, machine.chart, t)} →{" "}
          {valueText(shown.value, machine.chart)}
        </p>
      </div>
    </div>
  );
}

function Data({ title, value }: { title: string; value: unknown }) {
  return (
    <div>
      <h2 className="size-1">{title}</h2>
      <pre className={`code ${styles.data}`}>{JSON.stringify(value, null, 2)}</pre>
    </div>
  );
}

interface EventLogProps {
  machine: WatchedMachine;
  /** The selected event. */
  shown: Happening;
  /** The search term, in lower case. Other events are hidden. */
  term: string;
  onChoose(step: number): void;
}

/** All events of a machine, the newest first, beside its diagram. */
function EventLog({ machine, shown, term, onChoose }: EventLogProps) {
  const { t } = useTranslation("inspection");
  const found = machine.happenings.filter(({ type }) => type.toLowerCase().includes(term));
  // A term that only matches states does not filter the log.
  const listed = found.length > 0 ? found : machine.happenings;
  return (
    <section className={`stack gap-2 ${styles.log}`} aria-labelledby="event-log">
      <h2 id="event-log" className="size-1">
        {t("events")}
      </h2>
      <ol className={`stack gap-1 ${styles.events}`} reversed>
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

/** Memoized, because hundreds of lines must not render again with each new event. */
const EventLine = memo(function EventLine({ happening, chart, isShown, onChoose }: EventLineProps) {
  const { t, i18n } = useTranslation("inspection");
  const time = new Intl.DateTimeFormat(i18n.language, { timeStyle: "medium" }).format(happening.at);
  return (
    <li>
      <button
        type="button"
        className={`stack gap-0 fill size-0 anywhere ${styles.choice}`}
        aria-current={isShown || undefined}
        onClick={() => onChoose(happening.id)}
      >
        <strong>{happeningText(happening, chart, t)}</strong>
        <span>
          {time} · {valueText(happening.value, chart)}
        </span>
      </button>
    </li>
  );
});

import { useTranslation } from "react-i18next";
import styles from "./chart.module.css";
import { type ChartState, type ChartTransition, isActive } from "./watched-chart.ts";

/** A statechart as nested boxes; active states are highlighted. @param value of the snapshot that is shown */
export function Chart({ chart, value }: { chart: ChartState; value: unknown }) {
  return (
    <div className={styles.chart}>
      <Inside state={chart} value={value} />
    </div>
  );
}

function StateBox({ state, value }: { state: ChartState; value: unknown }) {
  const { t } = useTranslation("inspection");
  const active = isActive(value, state.path);
  return (
    <li className={styles.state} data-active={active} data-final={state.isFinal}>
      <p className={styles.name}>
        <span>{state.key}</span>
        {active ? <span className={styles.mark}>{t("active")}</span> : null}
      </p>
      <Inside state={state} value={value} />
    </li>
  );
}

function Inside({ state, value }: { state: ChartState; value: unknown }) {
  const { t } = useTranslation("inspection");
  return (
    <>
      {state.runs.length > 0 ? <p className={styles.runs}>{t("runs", { actors: state.runs.join(", ") })}</p> : null}
      {state.transitions.length > 0 ? (
        <ul className={styles.transitions}>
          {state.transitions.map((transition) => (
            <li key={JSON.stringify(transition)}>
              <Transition transition={transition} />
            </li>
          ))}
        </ul>
      ) : null}
      {state.states.length > 0 ? (
        <ul className={styles.states} data-parallel={state.isParallel}>
          {state.states.map((inner) => (
            <StateBox key={inner.key} state={inner} value={value} />
          ))}
        </ul>
      ) : null}
    </>
  );
}

function Transition({ transition: { kind, event, guard, target } }: { transition: ChartTransition }) {
  const { t } = useTranslation("inspection");
  return (
    <>
      {kind === "event" ? <code>{event}</code> : null}
      {kind === "after" ? t("after", { delay: /^\d+$/.test(event) ? `${event} ms` : event }) : null}
      {kind === "done" ? t("succeeded", { actor: event }) : null}
      {kind === "failed" ? t("failed", { actor: event }) : null}
      {kind === "always" ? t("atOnce") : null}
      {guard === "" ? null : <code> [{guard}]</code>}
      {target === "" ? null : <span> → {target}</span>}
    </>
  );
}

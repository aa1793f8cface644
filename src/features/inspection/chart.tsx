import { useTranslation } from "react-i18next";
import { type ChartState, type ChartTransition, isActive } from "#machines/inspection/rules.ts";
import styles from "./chart.module.css";
import { eventText } from "./lettering.ts";

/**
 * A statechart as nested lists, with everything that the diagram shows. Active states are highlighted.
 * @param value of the selected snapshot
 */
export function Chart({ chart, value }: { chart: ChartState; value: unknown }) {
  return (
    <div className="stack">
      <Inside state={chart} value={value} />
    </div>
  );
}

function StateBox({ state, value }: { state: ChartState; value: unknown }) {
  const { t } = useTranslation("inspection");
  const active = isActive(value, state.path);
  return (
    <li className={`stack gap-2 ${styles.state}`} data-active={active} data-final={state.isFinal}>
      <p className="row apart baseline strong anywhere">
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
      {state.entry.length > 0 ? (
        <p className={`size-0 anywhere ${styles.runs}`}>{t("entry", { actions: state.entry.join(", ") })}</p>
      ) : null}
      {state.exit.length > 0 ? (
        <p className={`size-0 anywhere ${styles.runs}`}>{t("exit", { actions: state.exit.join(", ") })}</p>
      ) : null}
      {state.runs.length > 0 ? (
        <p className={`size-0 anywhere ${styles.runs}`}>{t("runs", { actors: state.runs.join(", ") })}</p>
      ) : null}
      {state.transitions.length > 0 ? (
        <ul className="stack gap-1 size-0 anywhere">
          {state.transitions.map((transition) => (
            <li key={transition.id}>
              <Transition transition={transition} />
            </li>
          ))}
        </ul>
      ) : null}
      {state.states.length > 0 ? (
        <ul className={`row top gap-3 ${styles.states}`} data-parallel={state.isParallel}>
          {state.states.map((inner) => (
            <StateBox key={inner.key} state={inner} value={value} />
          ))}
        </ul>
      ) : null}
    </>
  );
}

function Transition({ transition }: { transition: ChartTransition }) {
  const { t } = useTranslation("inspection");
  const { kind, guard, target, actions } = transition;
  const text = eventText(transition, t);
  return (
    <>
      {kind === "event" ? <code>{text}</code> : text}
      {guard === "" ? null : <code> [{guard}]</code>}
      {actions.length === 0 ? null : <span> / {actions.join(", ")}</span>}
      {target === "" ? null : <span> → {target}</span>}
    </>
  );
}

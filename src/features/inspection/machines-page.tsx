import { useSelector } from "@xstate/react";
import { memo } from "react";
import { useTranslation } from "react-i18next";
import type { WatchedMachine } from "#machines/inspection/rules.ts";
import { selectMachine, selectMachines } from "#machines/inspection/selectors.ts";
import { claimOwedFocus } from "#src/ui/focus.ts";
import { MachineView } from "./machine-view.tsx";
import styles from "./machines-page.module.css";
import type { Inspector } from "./open-machines.ts";
import { valueText } from "./watched-chart.ts";

/** The live machines of inspected pages, one at a time, over the window's whole width. */
export function MachinesPage({ inspector }: { inspector: Inspector }) {
  const { t } = useTranslation("inspection");
  const { actor } = inspector;
  const machines = useSelector(actor, selectMachines);
  const chosen = useSelector(actor, selectMachine);
  return (
    <div className={`stack compact fill ${styles.page}`}>
      <header className="row baseline">
        <h1 className="size-4" ref={claimOwedFocus} tabIndex={-1}>
          {t("title")}
        </h1>
        <p className="soft">{t("lead")}</p>
      </header>
      {chosen === undefined ? (
        <p role="status">
          {t("nobody")} <a href="/?inspect">{t("open")}</a>
        </p>
      ) : (
        <div className={styles.columns}>
          <nav className={styles.choices} aria-label={t("machines")}>
            <ul className={`stack gap-1 ${styles.machines}`}>
              {machines.map((machine) => (
                <li key={machine.sessionId}>
                  <Choice
                    machine={machine}
                    isChosen={machine === chosen}
                    onChoose={() => actor.send({ type: "machine.chosen", sessionId: machine.sessionId })}
                  />
                </li>
              ))}
            </ul>
          </nav>
          <MachineView key={chosen.sessionId} inspector={inspector} machine={chosen} />
        </div>
      )}
    </div>
  );
}

interface ChoiceProps {
  machine: WatchedMachine;
  isChosen: boolean;
  onChoose(): void;
}

/** Renders again only when its own machine has changed. */
const Choice = memo(
  function Choice({ machine, isChosen, onChoose }: ChoiceProps) {
    const { t } = useTranslation("inspection");
    const value = valueText(machine.happenings.at(-1)?.value, machine.chart);
    return (
      <button
        type="button"
        className={`stack gap-0 fill size-0 anywhere ${styles.choice}`}
        aria-current={isChosen || undefined}
        onClick={onChoose}
      >
        <strong>{machine.name}</strong>
        <span>{machine.isRunning ? value : t("ended", { value })}</span>
      </button>
    );
  },
  (before, after) => before.machine === after.machine && before.isChosen === after.isChosen,
);

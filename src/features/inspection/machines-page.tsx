import { useState, useSyncExternalStore } from "react";
import { useTranslation } from "react-i18next";
import { Page } from "#src/ui/page.tsx";
import { MachineView } from "./machine-view.tsx";
import styles from "./machines-page.module.css";
import { valueText } from "./watched-chart.ts";
import type { WatchedMachine, WatchedMachines } from "./watched-machines.ts";

/** The live machines of inspected pages, one at a time. */
export function MachinesPage({ watched }: { watched: WatchedMachines }) {
  const { t } = useTranslation("inspection");
  const machines = useSyncExternalStore(watched.machines.subscribe, watched.machines.get);
  const [wanted, want] = useState<string>();
  const chosen = machines.find(({ sessionId }) => sessionId === wanted) ?? machines[0];
  return (
    <Page title={t("title")} lead={t("lead")}>
      {chosen === undefined ? <Nobody /> : null}
      {chosen === undefined ? null : (
        <div className={styles.columns}>
          <nav aria-label={t("machines")}>
            <ul className={styles.machines}>
              {machines.map((machine) => (
                <li key={machine.sessionId}>
                  <Choice machine={machine} isChosen={machine === chosen} onChoose={() => want(machine.sessionId)} />
                </li>
              ))}
            </ul>
          </nav>
          <MachineView key={chosen.sessionId} machine={chosen} onReplay={(number) => watched.replay(chosen.sessionId, number)} />
        </div>
      )}
    </Page>
  );
}

function Nobody() {
  const { t } = useTranslation("inspection");
  return (
    <p role="status">
      {t("nobody")} <a href="/?inspect">{t("open")}</a>
    </p>
  );
}

function Choice({ machine, isChosen, onChoose }: { machine: WatchedMachine; isChosen: boolean; onChoose(): void }) {
  const { t } = useTranslation("inspection");
  const value = valueText(machine.happenings.at(-1)?.value, machine.chart);
  return (
    <button type="button" className={styles.choice} aria-current={isChosen || undefined} onClick={onChoose}>
      <strong>{machine.name}</strong>
      <span>{machine.isRunning ? value : t("ended", { value })}</span>
    </button>
  );
}

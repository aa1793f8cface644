import { useSyncExternalStore } from "react";
import { useTranslation } from "react-i18next";
import { accessStage, isChecking } from "../../app/access-stage.ts";
import { LoadingScreen } from "../../ui/page.tsx";
import styles from "./checking.module.css";

/** What the guard is waiting for (SPEC.md section 2, "Route guard"). */
export function Checking() {
  const { t } = useTranslation();
  const stage = useSyncExternalStore(accessStage.subscribe, accessStage.get);
  return <LoadingScreen message={t(`checking.${stage}`)} />;
}

/** The same over the page that is being left: the router shows what is pending of the next page only, not of the frame around both. */
export function CheckingOver() {
  const checking = useSyncExternalStore(isChecking.subscribe, isChecking.get);
  return checking ? (
    <div className={styles.over}>
      <Checking />
    </div>
  ) : null;
}

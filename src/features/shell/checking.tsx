import { useSyncExternalStore } from "react";
import { useTranslation } from "react-i18next";
import { accessCheck } from "#src/features/session/access-stage.ts";
import { LoadingScreen } from "#src/ui/screens.tsx";
import styles from "./checking-over.module.css";

/** Says what the guard is waiting for (SPEC.md section 2, "Route guard"), and offers actions when it takes long. */
export function Checking() {
  const { t } = useTranslation();
  const { stage, slow } = useSyncExternalStore(accessCheck.subscribe, accessCheck.get);
  return (
    <>
      <LoadingScreen message={t(`checking.${stage}`)} />
      {slow}
    </>
  );
}

/**
 * `Checking` over the previous page. Needed because the router shows a pending component only for the next page, not
 * for the outer layout.
 */
export function CheckingOver() {
  const { isRunning } = useSyncExternalStore(accessCheck.subscribe, accessCheck.get);
  return isRunning ? (
    <div className={styles.over}>
      <Checking />
    </div>
  ) : null;
}

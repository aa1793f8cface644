import { useSyncExternalStore } from "react";
import { useTranslation } from "react-i18next";
import { accessCheck, isChecking } from "#src/features/session/access-stage.ts";
import { LoadingScreen } from "#src/ui/page.tsx";
import styles from "./checking.module.css";

/** What the guard is waiting for (SPEC.md section 2, "Route guard"), and actions when it takes long. */
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

/** The same over the previous page: the router shows a pending component only for the next page, not for the outer frame. */
export function CheckingOver() {
  const checking = useSyncExternalStore(isChecking.subscribe, isChecking.get);
  return checking ? (
    <div className={styles.over}>
      <Checking />
    </div>
  ) : null;
}

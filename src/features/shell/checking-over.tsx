import { useSyncExternalStore } from "react";
import { accessCheck } from "#src/features/session/access-stage.ts";
import { Checking } from "./checking.tsx";
import styles from "./checking-over.module.css";

/** `Checking` over the previous page: the router shows a pending component only for the next page, not for the outer layout. */
export function CheckingOver() {
  const { isRunning } = useSyncExternalStore(accessCheck.subscribe, accessCheck.get);
  return isRunning ? (
    <div className={styles.over}>
      <Checking />
    </div>
  ) : null;
}
